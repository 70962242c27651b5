/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes calls that begin and end of the events of a trace: each exit is matched with its entry, and
 * whatever else happens, on each track the calls nest, and each that begins also ends. */
#ifndef TRACE_SPANS_H
#define TRACE_SPANS_H

#include <trace/points.h>
#include <trace/writer.h>

/* Bytes of the name of a context. */
#define TRACE_CONTEXT_TEXT 300

/* Why a call ends. */
enum span_end {
    SPAN_RETURNED, /* its exit has come */
    SPAN_JUMPED,   /* a function around it has returned: it was left by longjmp() or a tail call, or
                      its function reports no exits */
    SPAN_LOST,     /* not known: events are lost, the file is damaged, the clock is another one, the
                      target has restarted, or an exit has come that has no entry */
    SPAN_OPEN,     /* the recording has ended */
};

/* What runs on its own: an exception of a core, or a task of a core, or all that is no exception if
 * there are no tasks. A task of cores with one clock may move: its core is the first one. A core
 * may be a thread of a process. More than STACK_TASKS_MAX tasks of a core share the track of the
 * last one. */
struct span_track {
    size_t index; /* from 0 on, in the order of their first events, over all recordings */
    unsigned core, exception;
    bool has_task;
    uint64_t task;
    const char *name; /* trace_context_name(), unless about was NULL: then NULL */
};

/* A call when it begins or ends. */
struct span {
    const struct span_track *track; /* valid until spans_free() */
    uint32_t function;              /* its number, see struct spans_ops */
    uint64_t caller;                /* the address that it returns to, 0: not known */
    size_t depth;                   /* calls around it on its track */
    bool outermost; /* the function was not active in the track, or in what the track interrupts */
    bool instant;   /* it only begins: entries_only */
    int64_t ns;     /* now, on the time line; 0 without that */
    const struct trace_event *event; /* its entry, or its exit if it has returned; else NULL */

    /* Of an end. */
    enum span_end end;
    bool timed;       /* its duration is known; only if it has returned */
    uint32_t hz;      /* ticks a second, 0: not known */
    bool slept;       /* the core has slept meanwhile; only if it has returned, and with sleep() */
    int64_t duration; /* ticks, at least 0 */
    double self; /* ticks without those of the traced functions that it called, and of those that
                    interrupted it; may be less than 0 by the times of events that came out of
                    order */
};

/* A core goes to sleep, or has woken up. */
struct span_sleep {
    const struct span_track *track; /* that runs then */
    enum trace_sleep what;          /* TRACE_ASLEEP or TRACE_AWAKE */
    double seconds; /* of TRACE_AWAKE: since it went to sleep, < 0: not known. The clock of the
                       events may have stopped meanwhile */
    int64_t ns;     /* as in a span */
    const struct trace_event *event;
};

/*
 * What is wanted, and where it goes. A function that is NULL is not called. One that returns false
 * ends the walk: spans_put() returns false.
 */
struct spans_ops {
    /* The time line: nanoseconds from the first event on, in one line for all cores and recordings.
     * It never goes back on a track. What was before a restart or another recording comes before
     * it, without the pause between, whose length is not known. A tick of a clock whose rate is not
     * known is a nanosecond, and without times each event is a nanosecond after the one before. */
    bool timeline;

    /* No function has exits: an entry is an instant, nothing is around it, and nothing ends. */
    bool entries_only;

    /* Numbers the function of an entry or exit, so that both have the same number. NULL: it is the
     * point's index of its function, which means nothing after the recording. */
    bool (*number)(void *context, const struct trace_points *points,
                   const struct trace_point *point, const struct trace_event *event,
                   uint32_t *function);

    /* A call begins. */
    bool (*enter)(void *context, const struct span *span);

    /* The call that has begun last on its track, of those that have not ended, ends. */
    bool (*leave)(void *context, const struct span *span);

    /* An exit has no entry. It is left out. */
    bool (*stray)(void *context, const struct trace_event *event);

    /* A mark of the firmware's own. */
    bool (*mark)(void *context, const struct span_track *track, const struct trace_event *event,
                 int64_t ns);

    /* A mark of sleep. */
    bool (*sleep)(void *context, const struct span_sleep *sleep);

    /* Any other event, after the calls that it ends have ended: events are lost, the target has
     * restarted, a recording begins. It has no time; ns is that of the last event of its core. */
    bool (*other)(void *context, const struct trace_event *event, int64_t ns);
};

struct spans;

/* Creates a walk, which the caller frees. ops is copied. about is that of the events, for the names
 * of tracks, and borrowed; NULL: tracks have no names. Returns NULL if memory runs out. */
struct spans *spans_new(const struct spans_ops *ops, const struct trace_about *about,
                        void *context);
void spans_free(struct spans *spans);

/* Takes an event of any kind. points are those that it refers to. Returns false if memory runs out,
 * or a function of ops has returned false. */
bool spans_put(struct spans *spans, const struct trace_points *points,
               const struct trace_event *event) __attribute__((warn_unused_result));

/* Ends all calls with SPAN_OPEN. Call it after the last event. Returns as spans_put(). */
bool spans_end(struct spans *spans) __attribute__((warn_unused_result));

/* Returns the number of tracks so far, whose indexes are below that, and a track. */
size_t spans_track_count(const struct spans *spans);
const struct span_track *spans_track_at(const struct spans *spans, size_t index);

/* Returns the track of the last call or mark of a core, with a time line; NULL: there was none. */
const struct span_track *spans_last_track(const struct spans *spans, unsigned core);

/* Returns nanoseconds of ticks of a clock, at most 2^60 either way; hz 0: a tick is one. */
int64_t span_ns(int64_t ticks, uint32_t hz);

/* Writes what is called the context of an event: "SysTick_Handler, core 1", "task blink", "task
 * 0x20000040", "thread 3", "core 0", "thread". exception is that of the event's point. */
void trace_context_name(char text[TRACE_CONTEXT_TEXT], const struct trace_about *about,
                        const struct trace_points *points, const struct trace_event *event,
                        unsigned exception);

#endif
