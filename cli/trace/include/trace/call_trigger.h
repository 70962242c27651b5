/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets through the events of a trace between those at which it is to start and to stop. */
#ifndef TRACE_CALL_TRIGGER_H
#define TRACE_CALL_TRIGGER_H

#include <trace/call_filter.h>

/* At which events of a function something happens. */
struct trace_moments {
    bool entry, exit;
    bool longer;     /* at exits of calls that took longer than longer_s */
    double longer_s; /* seconds, 0 or more */
};

struct call_trigger_rules {
    bool starts;        /* nothing is wanted before the first start; else everything is */
    bool needs_exits;   /* some moment is an exit */
    bool needs_seconds; /* some moment is that of a long call */

    /* Sets what an entry or an exit starts and stops; both are zeroed before. It is asked once for
     * each point. */
    void (*choose)(void *context, const struct trace_point *point, struct trace_moments *start,
                   struct trace_moments *stop);
    void *context;
};

struct call_trigger;

/* Creates a trigger, which the caller frees. rules is copied; points are those of the events, and
 * borrowed. Returns NULL if memory runs out. */
struct call_trigger *call_trigger_new(const struct call_trigger_rules *rules,
                                      const struct trace_points *points);
void call_trigger_free(struct call_trigger *trigger);

/*
 * Takes the next event, of any kind, and sets *wanted: a call is if it came after a start and not
 * after a stop; the start and the stop are wanted themselves. Other events always are: a start or a
 * stop may be among those that are lost.
 *
 * How long a call took is known at its exit, in its task or exception, unless events of that core
 * were lost since its entry. Returns 0 or a trace_refusal.
 */
int call_trigger_put(struct call_trigger *trigger, const struct trace_event *event, bool *wanted)
    __attribute__((warn_unused_result));

struct call_trigger_state {
    bool started, stopped;
    bool ended; /* has stopped, and may have started again */
    uint64_t entries; /* while exits are needed and none has come; else 0 */
    uint64_t untimed; /* exits at which it is not known how long the call took */
};

struct call_trigger_state call_trigger_state(const struct call_trigger *trigger);

#endif
