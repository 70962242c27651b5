/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options of a trace go together. */
#include <base/say.h>
#include <events/limits.h>
#include <events/times.h>
#include <options/help.h>
#include <target/session.h>

#include "trace.h"

/* The first option that --between and --worst of a target have no use for, or NULL. */
static const char *useless_with_times(const struct options *o)
{
    return o->record                     ? "record"
           : o->graph                    ? "graph"
           : o->stack.count != 0         ? "stack"
           : o->depth != 0               ? "depth"
           : o->below.count != 0         ? "below"
           : o->shortest_s > 0           ? "min"
           : o->arguments                ? "arguments"
           : o->results                  ? "results"
           : o->start_at.functions.count ? "start-at"
           : o->stop_at.functions.count  ? "stop-at"
                                         : NULL;
}

static int check_times(const struct options *o)
{
    const char *useless = useless_with_times(o);

    if (o->between.functions.count != 0 && o->worst.count != 0)
        complain("give --between or --worst, not both");
    else if (o->record)
        complain("%s has no use with --record: 'mprof trace FILE %s' measures what was recorded",
                 event_times_option(o), event_times_option(o));
    else if (useless)
        complain("--%s has no use with %s", useless, event_times_option(o));
    else
        return STATUS_DONE;
    return STATUS_USAGE;
}

int trace_check_options(const struct command *self, const struct options *options)
{
    const struct options *o = options;

    if (event_times_are_given(o) && o->operand_count == 0 && check_times(o) != STATUS_DONE)
        return STATUS_USAGE;
    if (o->graph && (o->record || o->stack.count != 0)) {
        complain("--graph has no use with %s", o->record ? "--record: 'mprof trace FILE --graph' "
                                                           "prints what was recorded"
                                                         : "--stack: it shows callers already");
        return STATUS_USAGE;
    }
    if (o->patch && target_is_dump(o)) {
        complain("--patch needs a target that runs: give --gdb or --pid");
        return STATUS_USAGE;
    }
    if (o->arguments && event_limits_need_exits(o)) {
        complain("--arguments has no use with --depth, --below, --min or --graph: a string is read "
                 "when its "
                 "event comes, and those are printed later");
        return STATUS_USAGE;
    }
    if (o->start_at.functions.count && o->stop_at.functions.count &&
        (o->record || event_limits_need_callers(o))) {
        complain("--start-at and --stop-at together leave out calls in between, without which "
                 "%s would show wrong callers and times: give one of the two",
                 o->record ? "the recording" : "--depth, --below, --min, --stack and --graph");
        return STATUS_USAGE;
    }
    if (!o->record)
        return STATUS_DONE;
    if (o->stack.count != 0) {
        complain(
            "--stack has no use with --record: give it to 'mprof trace FILE', which prints the "
            "trace");
        return STATUS_USAGE;
    }
    if (o->arguments) {
        complain("--arguments has no use with --record: a trace file has only what is constant");
        return STATUS_USAGE;
    }
    if (!o->output)
        return help_missing(self, "missing output: give -o FILE");
    if (o->format == FORMAT_TABLE)
        return STATUS_DONE;
    complain("--format has no use with --record: 'mprof trace FILE' prints in any format");
    return STATUS_USAGE;
}
