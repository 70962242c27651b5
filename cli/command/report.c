/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof report: polls once, or reads files, prints the profile, and ends. */
#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <events/trace_file.h>
#include <load/files.h>
#include <options/help.h>
#include <table/call_columns.h>

#include "refresh.h"
#include "report_files.h"
#include "verbs.h"

static int print_target(void *start_s, struct watch *watch)
{
    const struct refresh refresh = {
        .command = "report", .watch = watch, .start_s = *(const double *)start_s};

    return refresh_once(&refresh);
}

/* Whether one of the files is a trace. */
static bool has_trace(const struct options *options)
{
    size_t i = 0;

    while (i < options->operand_count && !trace_file_is(options->operands[i]))
        i++;
    return i < options->operand_count;
}

/* Whether only a trace can be reported. */
static bool are_of_trace(const struct options *o)
{
    return o->depth != 0 || o->below.count != 0 || o->shortest_s > 0 || o->traced.count != 0 ||
           o->not_traced.count != 0;
}

static int report_operands(const struct command *self, struct options *options)
{
    struct file_list files = {.paths = NULL};

    if (has_trace(options))
        return trace_file_can_report(options) ? trace_file_report(options) : STATUS_USAGE;
    if (!options_are_of_ranking(self, options))
        return STATUS_USAGE;
    int status = files_expand(options, &files);

    if (status == STATUS_DONE && !signals_pending())
        status = report_files(options);
    file_list_free(&files);
    return status;
}

void command_report_columns(void)
{
    help_columns("Columns of a trace file for --fields and --sort", &view_call_columns);
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
    if (are_of_trace(&options) && !has_trace(&options)) {
        complain("--depth, --below, --min, --filter and --not are for trace files");
        return signals_end(STATUS_USAGE, false);
    }
    status = options.operands[0] ? report_operands(self, &options)
                                 : watch_once(&options, print_target, &start_s);
    return signals_end(status, false);
}
