/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof report: polls once, or reads files, prints the profile, and ends. */
#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <load/files.h>

#include "refresh.h"
#include "report_files.h"
#include "verbs.h"

static int print_target(void *start_s, struct watch *watch)
{
    const struct refresh refresh = {
        .command = "report", .watch = watch, .start_s = *(const double *)start_s};

    return refresh_once(&refresh);
}

static int report_operands(struct options *options)
{
    struct file_list files = {.paths = NULL};
    int status = files_expand(options, &files);

    if (status == STATUS_DONE && !signals_pending())
        status = report_files(options);
    file_list_free(&files);
    return status;
}

int command_report(const struct command *self, int argc, char **argv)
{
    struct options options;
    double start_s = monotonic_s();
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    if (signals_begin() < 0)
        return STATUS_FAILED;
    status = options.operands[0] ? report_operands(&options)
                                 : watch_once(&options, print_target, &start_s);
    return signals_end(status, false);
}
