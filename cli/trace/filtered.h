/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a call filter knows, and its output: events that wait until it is known how long their call
 * lasts, and those after them. */
#ifndef TRACE_FILTERED_H
#define TRACE_FILTERED_H

#include <trace/call_filter.h>

#include "cost.h"
#include "held.h"
#include "stacks.h"

struct clock {
    int64_t least; /* ticks of the shortest call, < 0: not known */
    int64_t latest;
    int64_t since; /* from then on all events are known */
    bool resumes;  /* the next event is since */
    bool doubts;   /* some stack of an exception is not known */
};

struct call_filter {
    struct trace_limits limits;
    const struct trace_points *points;
    const struct trace_about *about;
    struct stacks stacks;
    struct clock clocks[TRACE_CORES];
    struct trace_cost cost; /* of the hooks, as a core has told last */
    struct held_events held;
    struct trace_event *early; /* owned; before the first exit */
    size_t early_count, early_capacity;
    bool returns;       /* an exit of the recording was seen */
    uint8_t *functions; /* owned; what is known of each */
    size_t count, capacity;
    unsigned turn; /* of the points */
    struct call_filter_state state;
};

/* Threads have one clock, and cores may. */
bool filtered_one_clock(const struct call_filter *filter, unsigned core);
struct clock *filtered_clock(struct call_filter *filter, unsigned core);

/* Hands on the events that do not wait. all: none waits any longer. Returns 0, what put() of the
 * limits has returned, or a trace_refusal; so do the functions below. */
int filtered_settle(struct call_filter *filter, bool all) __attribute__((warn_unused_result));

/* Hands on an event after those that wait. */
int filtered_show(struct call_filter *filter, const struct trace_event *event)
    __attribute__((warn_unused_result));

/* Shows the entry of a frame, or holds it back. Takes chain, its callers, which may be NULL. */
int filtered_enter(struct call_filter *filter, struct frame *frame, const struct trace_event *entry,
                   struct trace_chain *chain) __attribute__((warn_unused_result));

/* Shows the exit of a frame that was taken off a stack if the entry is shown, or both. */
int filtered_leave(struct call_filter *filter, const struct stack *stack, const struct frame *frame,
                   const struct trace_event *exit) __attribute__((warn_unused_result));

/* The entry of a frame that was taken off without its exit: its call has ended. lost: events were.
 */
void filtered_abandon(struct call_filter *filter, struct frame *frame, bool lost);

#endif
