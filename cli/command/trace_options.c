/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options of a trace go together. */
#include <base/say.h>
#include <events/limits.h>
#include <events/trace_latency.h>
#include <options/help.h>
#include <target/session.h>

#include "trace.h"

int trace_check_options(const struct command *self, const struct options *options)
{
    const struct options *o = options;

    if (trace_latency_is_given(o) && o->operand_count == 0) {
        complain("--%s needs a trace file: --record writes one",
                 o->worst.count != 0 ? "worst" : "between");
        return STATUS_USAGE;
    }
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
