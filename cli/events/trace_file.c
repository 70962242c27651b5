/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof trace FILE: prints what was recorded. */
#define _POSIX_C_SOURCE 200809L

#include <events/trace_file.h>

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <events/limits.h>
#include <events/sink.h>
#include <events/times.h>
#include <events/trigger.h>

/* So often is asked whether a signal ends it. */
#define ASK_EVERY 4096

/* names: the options that have a use; the last one is NULL. */
static bool can_use(const struct options *o, const char *const *names)
{
    const char *other = options_other_than(o, names);

    if (other)
        complain("--%s has no use for a trace file: %s", other, o->operands[0]);
    else if (o->operand_count > 1)
        complain("unexpected argument '%s': give one trace file", o->operands[1]);
    else if (o->output && output_is_same(o->output, o->operands[0]))
        complain("-o %s is the file that is read: write to another one", o->output);
    else
        return true;
    return false;
}

/* What --between and --worst have a use for. */
static const char *const latency_names[] = {"between", "worst", "events", "format", "output", NULL};

static bool can_use_latency(const struct options *o)
{
    const char *other = options_other_than(o, latency_names);

    if (o->between.functions.count != 0 && o->worst.count != 0)
        complain("give --between or --worst, not both");
    else if (other)
        complain("--%s has no use with %s", other, o->worst.count != 0 ? "--worst" : "--between");
    else
        return can_use(o, latency_names);
    return false;
}

bool trace_file_can_print(const struct options *options)
{
    static const char *const names[] = {"events", "format", "output",  "depth",    "below",
                                        "min",    "filter", "not",     "start-at", "stop-at",
                                        "stack",  "graph",  "results", NULL};

    return event_times_are_given(options) ? can_use_latency(options) : can_use(options, names);
}

bool trace_file_can_export(const struct options *options)
{
    static const char *const names[] = {"format", "output", "depth",    "below",   "min",
                                        "filter", "not",    "start-at", "stop-at", NULL};

    return can_use(options, names);
}

bool trace_file_can_report(const struct options *options)
{
    static const char *const names[] = {"by",    "sort",  "limit", "fields", "format", "output",
                                        "depth", "below", "min",   "filter", "not",    NULL};

    if (options->by != VIEW_BY_FUNCTION && options->by != VIEW_BY_CONTEXT) {
        complain("a trace file has only --by function and --by context");
        return false;
    }
    return can_use(options, names);
}

int trace_file_say(const char *path, const struct trace_reader *reader)
{
    const struct trace_state s = trace_reader_state(reader);

    if (s.damaged != 0)
        complain("%s is damaged at byte %" PRIu64 ": %" PRIu64 " bytes are left out", path,
                 s.damaged_at, s.damaged);
    if (s.cut != 0)
        complain("%s is cut short: its last %" PRIu64 " bytes are left out", path, s.cut);
    else if (s.unended != 0 && s.damaged == 0)
        complain("%s: a recording was not ended: its last events may be missing", path);
    if (s.failure)
        complain("%s: %s", path, s.failure);
    return s.failure || s.damaged != 0 ? STATUS_FAILED : STATUS_DONE;
}

/* Sets *all if it came to the end of the file. */
static int print_events(struct event_sink *sink, struct trace_trigger *trigger,
                        struct event_limits *limits, struct trace_reader *reader, bool *all)
{
    unsigned long most = sink->options->iterations, events = 0;
    struct trace_event event = {.kind = TRACE_RUN};
    int status = STATUS_DONE;

    while (status == STATUS_DONE && (most == 0 || sink->calls < most) &&
           !trace_trigger_ended(trigger) && !(++events % ASK_EVERY == 0 && signals_pending())) {
        bool wanted;
        *all = !trace_reader_next(reader, &event);
        if (*all)
            break;
        status = trace_trigger_put(trigger, &event, &wanted);
        if (status == STATUS_DONE && wanted)
            status = event_limits_put(limits, &event);
    }
    if (status == STATUS_DONE && (*all || trace_trigger_ended(trigger)))
        status = event_limits_end(limits);
    if (status == STATUS_DONE && *all)
        status = trace_trigger_check(trigger);
    return status == STATUS_DONE ? event_sink_flush(sink) : status;
}

static int put_event(void *sink, const struct trace_event *event)
{
    return event_sink_put(sink, event);
}

/* A user may take -R for an option with functions. */
static int fail_to_open(const char *path, const char *text)
{
    if (strpbrk(path, "/.") || access(path, F_OK) == 0)
        return fail(text);
    complain("%s: no such trace file; to record only a function, give --filter %s", path, path);
    return STATUS_FAILED;
}

int trace_file_print(const struct options *options)
{
    const char *path = options->operands[0];
    char text[TRACE_TEXT];
    struct trace_reader *reader = trace_reader_open(path, text);
    struct event_sink sink;
    bool all = false;

    if (!reader)
        return fail_to_open(path, text);
    int status = event_sink_open(&sink, options, trace_reader_points(reader),
                                 trace_reader_about(reader), stdout);
    struct event_limits *limits = event_limits_new(options, trace_reader_points(reader),
                                                   trace_reader_about(reader), put_event, &sink);
    struct trace_trigger *trigger = trace_trigger_new(options, trace_reader_points(reader));
    if (status == STATUS_DONE)
        status = limits && trigger ? print_events(&sink, trigger, limits, reader, &all)
                                   : fail("out of memory");
    event_sink_say_lost(&sink);
    if (status == STATUS_DONE && all && options->results && sink.calls != 0)
        status = event_results_check(sink.results);
    if (status == STATUS_DONE && all) {
        event_limits_say(limits);
        trace_trigger_say(trigger);
    }
    trace_trigger_free(trigger);
    event_limits_free(limits);
    int closed = event_sink_close(&sink);
    int said = all ? trace_file_say(path, reader) : STATUS_DONE;
    trace_reader_close(reader);
    return status != STATUS_DONE ? status : closed != STATUS_DONE ? closed : said;
}
