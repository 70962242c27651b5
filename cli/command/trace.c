/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof trace: the entries and exits of functions, as they come. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <target/silence.h>
#include <target/trace_filter.h>

#include "trace_line.h"
#include "verbs.h"

/* From one poll to the next; a link that halts the target reads nothing in between. */
#define POLL_S   1.0
#define HALTED_S 0.1

struct trace {
    const struct options *options;
    struct watch watch;
    struct trace_filter filter;
    struct trace_lines lines;
    int wake_fd;
    double begun_s; /* when the trace was first read, 0: not yet */
    unsigned long events;
    uint64_t lost;
    unsigned readings; /* of the first two */
};

static bool is_enough(const struct trace *t)
{
    const struct options *o = t->options;

    return signals_pending() || (o->iterations && t->events >= o->iterations) ||
           (o->duration_s > 0 && t->begun_s > 0 && monotonic_s() >= t->begun_s + o->duration_s);
}

/* The names of the ELF file that is loaded. */
static void take_names(struct trace *t)
{
    struct session *s = &t->watch.session;
    bool named = session_has_names(s);

    t->lines.names = named ? symtab_naming(s->elf.symtab) : (struct symbol_naming){.find = NULL};
    t->lines.vectors = named ? view_contexts_vectors(s->contexts) : NULL;
    t->lines.cores = t->watch.profile.cores;
}

/* Prints what was read. last: no more is read. */
static int show(struct trace *t, bool last)
{
    size_t count;
    const struct sampler_event *events = watch_events(&t->watch, last, &count);
    unsigned long most = t->options->iterations;

    if (!events)
        return t->watch.session.sampler ? fail("out of memory") : STATUS_DONE;
    take_names(t);
    for (size_t i = 0; i < count && (most == 0 || t->events < most); i++) {
        if (events[i].kind == SAMPLER_EVENT_CALL &&
            !trace_filter_lets(&t->filter, events[i].call.callee))
            continue;
        struct decode_trace trace = watch_trace(&t->watch, events[i].core);
        if (!trace_line_put(&t->lines, &events[i], &trace))
            return fail("out of memory");
        t->events += events[i].kind == SAMPLER_EVENT_CALL;
        t->lost += events[i].count;
    }
    if (fflush(t->lines.file) == 0 || signals_pending())
        return STATUS_DONE;
    return output_failed(t->options->output, strerror(errno));
}

/* At the first reading, what all events lack and what is switched off; at the second, why there are
 * none. */
static void say_limits(struct trace *t)
{
    const struct profile *p = &t->watch.profile;
    bool dump = target_is_dump(t->options);
    char text[SILENCE_TEXT];

    if (!t->watch.fresh || t->readings == 2)
        return;
    t->readings++;
    bool off = silence_switch(p, dump, text);
    if (t->readings == 1 && !watch_trace(&t->watch, 0).timed)
        complain("the events have no times: the core has no cycle counter, or it does not count; "
                 "build the stub with MPROF_TIME");
    if (t->readings == 1 && watch_trace(&t->watch, 0).filtered && !t->filter.wanted)
        complain("the stub records only some functions; 'mprof control filter none' makes it "
                 "record all");
    if (t->readings == 1 && off)
        complain("no new events: %s", text);
    if (t->events != 0 || t->lost != 0 || off || (t->readings == 1 && !dump))
        return;
    if (!silence_firmware(p, dump, text))
        snprintf(text, sizeof(text),
                 dump ? "the dump has none" : "no function with a call hook was called");
    complain("no events: %s", text);
}

static int read_target(struct trace *t)
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
    signals_hold(false);
    if (status == STATUS_DONE)
        status = show(t, target_is_dump(t->options));
    if (status == STATUS_DONE)
        say_limits(t);
    if (t->begun_s <= 0 && t->watch.fresh)
        t->begun_s = monotonic_s();
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

    while (status == STATUS_DONE && !is_enough(t) && monotonic_s() < due_s) {
        struct pollfd wake = {.fd = t->wake_fd, .events = POLLIN};
        double drain_s = watch_drain_s(&t->watch), left = due_s - monotonic_s();

        if (t->options->duration_s > 0 && t->begun_s > 0)
            left = fmin(left, t->begun_s + t->options->duration_s - monotonic_s());
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

static int print_events(void *trace)
{
    struct trace *t = trace;
    int status = STATUS_DONE;

    if (t->watch.session.elf.kind == SYMTAB_TABLE_HEADERLESS) {
        complain("%s has no header, and so no trace: build the stub with MPROF_TRACE_CNT",
                 t->options->symbol);
        return STATUS_FAILED;
    }
    while (status == STATUS_DONE && !is_enough(t)) {
        status = read_target(t);
        if (status != STATUS_DONE || target_is_dump(t->options))
            break;
        status = wait_until(t, next_poll_s(t));
    }
    if (status == STATUS_DONE && t->begun_s > 0)
        status = show(t, true);
    signals_hold(true);
    trace_filter_end(&t->filter, &t->watch);
    signals_hold(false);
    if (t->lost != 0)
        complain("%" PRIu64 " of %" PRIu64 " events were lost", t->lost, t->lost + t->events);
    return status;
}

static int run_on_target(struct trace *t)
{
    const char *path = t->options->output;

    t->lines.file = path ? fopen(path, "we") : stdout;
    if (!t->lines.file) {
        complain("%s: %s", path, strerror(errno));
        return STATUS_FAILED;
    }
    int status = watch_run(&t->watch, t->options, false, print_events, t);
    if (path && fclose(t->lines.file) != 0 && status == STATUS_DONE)
        status = output_failed(path, strerror(errno));
    return status;
}

int command_trace(const struct command *self, int argc, char **argv)
{
    struct options options;
    struct trace trace = {.options = &options};
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    options.sampler = SAMPLER_TRACE;
    if (target_is_dump(&options))
        options.wait_s = 0;
    trace.lines.format = options.format;
    trace.wake_fd = signals_begin();
    if (trace.wake_fd < 0)
        return STATUS_FAILED;
    status = run_on_target(&trace);
    return signals_end(status, true);
}
