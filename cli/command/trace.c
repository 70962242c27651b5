/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof trace: the entries and exits of functions, as they come or as they were recorded. */
#define _POSIX_C_SOURCE 200809L

#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <control/patching.h>
#include <control/trace_filter.h>
#include <events/file_times.h>
#include <events/frozen.h>
#include <events/limits.h>
#include <events/remarks.h>
#include <events/sink.h>
#include <events/source.h>
#include <events/times.h>
#include <events/trace_file.h>
#include <events/trigger.h>
#include <recorder/progress.h>

#include "trace.h"
#include "verbs.h"

/* From one poll to the next; a link that halts the target reads nothing in between. */
#define POLL_S   1.0
#define HALTED_S 0.1

struct trace {
    const struct options *options;
    const struct trace_program *program; /* NULL: none was started */
    struct watch watch;
    struct trace_filter filter;
    struct patching patching;
    struct trace_frozen frozen;
    struct event_source *source; /* owned */
    struct event_sink sink;
    struct trace_trigger *trigger; /* owned */
    struct event_limits *limits;   /* owned */
    struct trace_event clocks[TRACE_CORES];
    bool has_clock[TRACE_CORES]; /* which is still to be shown, before the next event */
    struct progress progress;    /* of a recording */
    int wake_fd;
    double begun_s; /* when the trace was first read, 0: not yet */
    double end_s;   /* when --duration is over, INFINITY: not known, or not given */
    bool is_frozen; /* no more events come */
    struct trace_remarks remarks;
};

static bool is_ended(const struct trace *t)
{
    return t->program && t->program->ended(t->program->context);
}

static bool is_enough(const struct trace *t)
{
    const struct options *o = t->options;

    return signals_pending() || trace_trigger_ended(t->trigger) ||
           (o->iterations && t->sink.calls >= o->iterations) || monotonic_s() >= t->end_s;
}

static bool is_chosen(const struct trace *t, const struct sampler_event *from)
{
    return from->kind != SAMPLER_EVENT_CALL || from->call.mark ||
           trace_filter_lets(&t->filter, from->call.callee);
}

/* Shows an event, after what it needs to know of its core's clock. */
static int show_event(struct trace *t, const struct trace_event *event)
{
    int status = STATUS_DONE;

    if (t->has_clock[event->core])
        status = event_limits_put(t->limits, &t->clocks[event->core]);
    t->has_clock[event->core] = false;
    if (status == STATUS_DONE && !event_source_read(t->source, event))
        status = fail("out of memory");
    return status == STATUS_DONE ? event_limits_put(t->limits, event) : status;
}

/* A function that is not chosen may start and stop. */
static int take_event(struct trace *t, const struct sampler_event *from)
{
    bool chosen = is_chosen(t, from), wanted = false;
    struct trace_event event, *clock = &t->clocks[from->core];
    int status = STATUS_DONE;

    if (event_source_omits(t->source, from) || (!chosen && !trace_trigger_is_given(t->options)))
        return STATUS_DONE;
    if (event_source_clock(t->source, from->core, clock)) {
        t->has_clock[from->core] = true;
        status = trace_trigger_put(t->trigger, clock, &wanted);
    }
    if (status == STATUS_DONE && !event_source_take(t->source, from, &event))
        status = fail("out of memory");
    if (status == STATUS_DONE)
        status = trace_trigger_put(t->trigger, &event, &wanted);
    return status == STATUS_DONE && wanted && chosen ? show_event(t, &event) : status;
}

static int put_event(void *trace, const struct trace_event *event)
{
    struct trace *t = trace;

    return event_sink_put(&t->sink, event);
}

/* Takes what was read. last: no more is read. */
static int show(struct trace *t, bool last)
{
    size_t count;
    const struct sampler_event *events = watch_events(&t->watch, last, &count);
    unsigned long most = t->options->iterations;
    int status = STATUS_DONE;

    if (!events)
        return t->watch.session.sampler ? fail("out of memory") : STATUS_DONE;
    if (event_source_is_old(t->source))
        status = event_limits_end(t->limits);
    if (event_source_is_old(t->source) && status == STATUS_DONE)
        status = event_sink_end_run(&t->sink);
    if (event_source_name(t->source) && status == STATUS_DONE)
        status = event_sink_renew(&t->sink);
    for (size_t i = 0; status == STATUS_DONE && i < count; i++) {
        t->remarks.taken |= events[i].kind == SAMPLER_EVENT_CALL;
        if ((most != 0 && t->sink.calls >= most) || trace_trigger_ended(t->trigger))
            break;
        status = take_event(t, &events[i]);
    }
    return status == STATUS_DONE ? event_sink_flush(&t->sink) : status;
}

/* Whether what is read is all that will ever be there. */
static bool is_final(const struct trace *t)
{
    uint64_t left_out;

    if (t->options->link.records)
        return watch_has_ended(&t->watch, &left_out);
    return target_is_dump(t->options) && (!t->program || is_ended(t));
}

static double seconds_of(const struct trace *t)
{
    return t->begun_s > 0 ? monotonic_s() - t->begun_s : 0;
}

static void show_progress(struct trace *t)
{
    const struct options *o = t->options;
    double by_time = o->duration_s > 0 ? seconds_of(t) / o->duration_s : 0;
    double by_events = o->iterations ? (double)t->sink.calls / (double)o->iterations : 0;

    progress_show(&t->progress, fmin(1, fmax(by_time, by_events)), seconds_of(t), t->sink.calls,
                  -1);
}

static void count_time(struct trace *t)
{
    if (t->options->duration_s > 0)
        t->end_s = monotonic_s() + t->options->duration_s;
}

/* The functions that the trace is of, and those at which it starts and stops. */
static int patch_first(struct trace *t)
{
    const struct options *o = t->options;
    struct addr_ranges ranges = {.all = NULL};

    if (!t->filter.wanted)
        return patching_begin(&t->patching, &t->watch, NULL);
    int status = addr_ranges_copy(&ranges, &t->filter.ranges) ? STATUS_DONE : fail("out of memory");
    if (status == STATUS_DONE)
        status = trace_filter_add_rules(&t->watch.session, &o->start_at.functions, &ranges);
    if (status == STATUS_DONE)
        status = trace_filter_add_rules(&t->watch.session, &o->stop_at.functions, &ranges);
    if (status == STATUS_DONE)
        status = patching_begin(&t->patching, &t->watch, &ranges);
    addr_ranges_free(&ranges);
    return status;
}

static int patch(struct trace *t)
{
    if (t->patching.addr != 0)
        return patching_follow(&t->patching, &t->watch);
    return t->watch.fresh ? patch_first(t) : STATUS_DONE;
}

static int read_target(struct trace *t, bool final)
{
    signals_hold(true);
    int status = watch_poll(&t->watch);
    signals_hold(false);
    if (status != STATUS_DONE) {
        complain("%s", t->watch.failure);
        return status;
    }
    signals_hold(true);
    status = trace_filter_follow(&t->filter, &t->watch);
    if (status == STATUS_DONE && t->options->patch)
        status = patch(t);
    if (t->program && t->watch.fresh)
        t->program->let_go(t->program->context);
    signals_hold(false);
    if (status == STATUS_DONE)
        status = trace_trigger_follow(t->trigger, &t->watch);
    if (status == STATUS_DONE && t->watch.fresh && t->options->results)
        status = event_results_check(watch_trace(&t->watch, 0).results);
    if (status == STATUS_DONE)
        status = show(t, final);
    if (status == STATUS_DONE) {
        trace_remarks_read(&t->remarks, t->sink.lost, final);
    }
    if (status == STATUS_DONE)
        t->is_frozen =
            trace_frozen_say(&t->frozen, &t->watch) && !t->program && !t->options->link.records;
    if (status == STATUS_DONE && t->remarks.readings == 2)
        status = event_limits_check(t->limits);
    if (status == STATUS_DONE && t->remarks.readings == 2)
        status = trace_trigger_check(t->trigger);
    if (status == STATUS_DONE && t->remarks.readings == 2)
        status = event_sink_check_times(&t->sink);
    if (t->begun_s <= 0 && t->watch.fresh) {
        t->begun_s = monotonic_s();
        if (!t->options->link.records)
            count_time(t);
    }
    if (t->options->record && !t->program)
        show_progress(t);
    event_sink_show_times(&t->sink);
    return status;
}

static void drain(struct trace *t)
{
    signals_hold(true);
    watch_drain(&t->watch);
    signals_hold(false);
}

/* Reads and shows between two polls what the ring has not room for. */
static int wait_until(struct trace *t, double due_s)
{
    int status = STATUS_DONE;

    while (status == STATUS_DONE && !is_enough(t) && !is_ended(t) && monotonic_s() < due_s) {
        struct pollfd wake = {.fd = t->wake_fd, .events = POLLIN};
        double drain_s = watch_drain_s(&t->watch), left = fmin(due_s, t->end_s) - monotonic_s();

        bool drains = drain_s > 0 && drain_s < left;
        if (poll(&wake, 1, monotonic_wait_ms(drains ? drain_s : left)) > 0 || !drains)
            continue;
        drain(t);
        status = show(t, false);
    }
    return status;
}

static double next_poll_s(const struct trace *t)
{
    const struct watch *w = &t->watch;
    double delay_s = w->fresh && !w->session.server.live ? HALTED_S : POLL_S;

    return monotonic_s() + fmax(watch_delay_s(w, delay_s), watch_pause_s(w));
}

static int follow(struct trace *t)
{
    int status = STATUS_DONE;

    t->end_s = INFINITY;
    if (t->options->link.records) /* nobody knows whether anything will be sent */
        count_time(t);
    while (status == STATUS_DONE && !is_enough(t)) {
        bool final = is_final(t); /* before it is read */
        status = read_target(t, final);
        if (status != STATUS_DONE || final || t->is_frozen)
            break;
        if (!t->options->link.records) /* else the poll has waited */
            status = wait_until(t, next_poll_s(t));
    }
    if (status == STATUS_DONE && t->begun_s > 0)
        status = show(t, true);
    if (status == STATUS_DONE &&
        (!t->options->iterations || t->sink.calls < t->options->iterations))
        status = event_limits_end(t->limits);
    if (status == STATUS_DONE)
        status = trace_trigger_check(t->trigger);
    if (status == STATUS_DONE && t->begun_s <= 0 && monotonic_s() >= t->end_s) {
        complain("%s: no header of mprof_trace_send() came within %g s", t->options->link.records,
                 t->options->duration_s);
        status = STATUS_FAILED;
    }
    signals_hold(true);
    patching_end(&t->patching, &t->watch);
    trace_filter_end(&t->filter, &t->watch);
    signals_hold(false);
    progress_end(&t->progress);
    return status;
}

/* What was recorded is kept, however it ended. */
static int end_events(struct trace *t, int status)
{
    const unsigned long long calls = t->sink.calls;
    bool records = t->options->record && t->sink.writer && calls + t->sink.lost != 0;

    event_sink_say_lost(&t->sink);
    if (status == STATUS_DONE) {
        trace_remarks_end(&t->remarks, t->sink.lost, t->begun_s > 0);
        event_limits_say(t->limits);
        trace_trigger_say(t->trigger);
    }
    int printed = event_sink_print_times(&t->sink, status != STATUS_DONE);
    int closed = event_sink_close(&t->sink);
    closed = closed == STATUS_DONE ? printed : closed;
    if (records && closed == STATUS_DONE) {
        FILE *file = t->program ? stderr : stdout; /* which is the program's */
        fprintf(file, "%s: %llu events in %.1f s\n", t->options->output, calls, seconds_of(t));
        fflush(file);
    }
    return status == STATUS_DONE ? closed : status;
}

/* A ring of the firmware's own has entries only, in units of a clock that nobody knows. */
static int check_ring(const struct trace *t)
{
    char ring[NAME_MAX];

    snprintf(ring, sizeof(ring), "%.*s", (int)strcspn(t->options->symbol, ","), t->options->symbol);
    if (t->options->link.records) {
        complain("--records has the stub's trace, and %s is a ring of calls of the firmware's own: "
                 "leave out --symbol",
                 ring);
        return STATUS_FAILED;
    }
    int status = event_limits_check_ring(t->options, ring);
    if (status == STATUS_DONE && event_times_need_exits(t->options))
        status = event_limits_refuse_ring(event_times_option(t->options), false, ring);
    return status == STATUS_DONE ? trace_trigger_check_ring(t->options, ring) : status;
}

static int trace_target(void *trace)
{
    struct trace *t = trace;
    int status = STATUS_DONE;

    if (t->watch.session.elf.kind == SYMTAB_TABLE_HEADERLESS) {
        complain("%s has no header, and so no trace: build the stub with MPROF_TRACE_CNT",
                 t->options->symbol);
        return STATUS_FAILED;
    }
    if (t->watch.session.elf.kind == SYMTAB_TABLE_RING)
        status = check_ring(t);
    if (status != STATUS_DONE)
        return status;
    (void)event_source_name(t->source);
    status = event_sink_open(&t->sink, t->options, event_source_points(t->source),
                             event_source_about(t->source), t->program ? stderr : stdout);
    t->sink.origin = t->watch.session.server.address;
    if (status == STATUS_DONE)
        status = follow(t);
    return end_events(t, status);
}

static int run_on_target(struct trace *t)
{
    const struct options *o = t->options;

    /* What results point to is read when their events come, not later. */
    t->source = event_source_new(&t->watch, o->arguments,
                                 o->results && !o->record && !event_limits_need_exits(o));
    int status = STATUS_DONE;

    if (t->source)
        t->trigger = trace_trigger_new(t->options, event_source_points(t->source));
    if (t->trigger)
        t->limits = event_limits_new(t->options, event_source_points(t->source),
                                     event_source_about(t->source), put_event, t);
    if (!t->limits)
        status = fail("out of memory");
    t->remarks = (struct trace_remarks){
        .watch = &t->watch, .filter = &t->filter, .program = t->program != NULL};
    t->progress = progress_begin("events");
    if (status == STATUS_DONE)
        status = watch_run(&t->watch, t->options, false, trace_target, t);
    event_limits_free(t->limits);
    trace_trigger_free(t->trigger);
    event_source_free(t->source);
    return status;
}

static void prepare(struct options *o)
{
    o->sampler = SAMPLER_TRACE;
    if (target_is_dump(o) && !o->link.records)
        o->wait_s = 0;
}

int trace_program(struct options *options, const struct trace_program *program)
{
    struct trace trace = {.options = options, .program = program, .wake_fd = -1};

    prepare(options);
    return run_on_target(&trace);
}

int command_trace(const struct command *self, int argc, char **argv)
{
    struct options options;
    struct trace trace = {.options = &options};
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    bool file = options.operand_count != 0;
    if (file && !trace_file_can_print(&options))
        return STATUS_USAGE;
    status = trace_check_options(self, &options);
    if (status != STATUS_DONE)
        return status;
    prepare(&options);
    trace.wake_fd = signals_begin();
    if (trace.wake_fd < 0)
        return STATUS_FAILED;
    status = !file                             ? run_on_target(&trace)
             : event_times_are_given(&options) ? file_times_print(&options)
                                               : trace_file_print(&options);
    return signals_end(status, true);
}
