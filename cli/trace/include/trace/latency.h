/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times from one event to another in a trace, and the longest of them. */
#ifndef TRACE_LATENCY_H
#define TRACE_LATENCY_H

#include <trace/call_filter.h>
#include <trace/durations.h>
#include <trace/points.h>
#include <trace/writer.h>

/* At which events a time begins and ends. */
struct latency_rules {
    /* Times of calls: begins chooses functions by their entries, and the end is the exit of the
     * same call. Else a time goes from an event that begins to the next one that ends, of the same
     * core, or of any thread of a process. */
    bool calls;
    bool needs_exits; /* some event is an exit */

    /* Sets what a point does; both are false before. It is asked once for each point. */
    void (*choose)(void *context, const struct trace_point *point, bool *begins, bool *ends);
    void *context;
};

/* The longest time. Events are numbered from 0 on, as they were put. */
struct latency_worst {
    uint64_t first, last; /* the events where it begins and ends */
    unsigned core;        /* of the first one */
    int64_t begin, ticks; /* when it begins, and how long it is */
};

struct latency_state {
    struct durations *durations; /* of all times, in ticks; belongs to the struct latency */
    struct latency_worst worst;  /* if there is any duration */
    uint32_t hz;                 /* ticks a second, 0: not known */
    bool timed;                  /* some event has a time */
    uint64_t begun, ended;       /* events that begin and that end */
    uint64_t unended; /* begun without an end: an earlier one had begun, or the trace ended */
    uint64_t unbegun; /* ended without a begin */
    uint64_t lost; /* begun, and then events were lost, the target has restarted, or another clock
                      runs */
    uint64_t unrated; /* left out because their clock has another unit than the first one */
};

struct latency;

/* Creates an empty sum, which the caller frees. rules is copied; points and about are those of the
 * events, and borrowed. Returns NULL if memory runs out. */
struct latency *latency_new(const struct latency_rules *rules, const struct trace_points *points,
                            const struct trace_about *about);
void latency_free(struct latency *latency);

/* Takes an event of any kind. Returns false if memory runs out. */
bool latency_put(struct latency *latency, const struct trace_event *event)
    __attribute__((warn_unused_result));

/* Ends the last recording. Returns 0, or a trace_refusal: exits are needed and there are none, or
 * memory runs out. */
int latency_end(struct latency *latency) __attribute__((warn_unused_result));

/* While events come: returns TRACE_NO_EXITS if exits are needed and many entries have come without
 * any, else 0. */
int latency_check(const struct latency *latency) __attribute__((warn_unused_result));

struct latency_state latency_state(struct latency *latency);

/* Whether an event between the first and the last one of the longest time belongs to it: of several
 * cores only those of its own do, unless they are threads. A call has only those of its thread.
 * Points and about may be gone. */
bool latency_has(const struct latency *latency, const struct trace_event *event);

#endif
