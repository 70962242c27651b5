/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof report: polls once, or reads files, prints the profile, and ends. */
#include <base/say.h>
#include <base/signals.h>
#include <load/files.h>

#include "refresh.h"
#include "report_files.h"
#include "verbs.h"

static int poll_and_print(struct watch *watch, double start_s)
{
    const struct refresh refresh = {.command = "report", .watch = watch, .start_s = start_s};
    int status = watch_poll(watch);

    if (status != STATUS_DONE) {
        complain("%s", watch->failure);
        return status;
    }
    /* The output may block. */
    signals_hold(false);
    if (!signals_pending())
        status = refresh_once(&refresh);
    signals_hold(true);
    return status;
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
    struct watch watch;
    double start_s = watch_now_s();
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    options.batch = true;
    if (options.sampler == SAMPLER_AUTO) /* a stream has no past */
        options.sampler = SAMPLER_TOTAL;
    options.wait_s = 0;
    if (signals_open() < 0) {
        complain("no pipe for signals");
        return STATUS_FAILED;
    }
    if (options.operands[0]) {
        status = report_operands(&options);
        if (signals_pending() && status == STATUS_DONE)
            signals_die(signals_pending());
        return status;
    }
    signals_hold(true);
    status = watch_open(&watch, &options, false);
    if (status == STATUS_DONE)
        status = poll_and_print(&watch, start_s);
    int closed = watch_close(&watch);
    signals_hold(false);
    status = status == STATUS_DONE ? closed : status;
    if (signals_pending() && status == STATUS_DONE)
        signals_die(signals_pending());
    return status;
}
