/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets through the events of a trace by where in the stack of calls they are, and how long calls
 * last. */
#ifndef TRACE_CALL_FILTER_H
#define TRACE_CALL_FILTER_H

#include <trace/points.h>
#include <trace/writer.h>

/* What a function is chosen for. */
enum trace_choice {
    TRACE_CHOSEN = 1, /* its events may be shown; other ones are as if they were not recorded */
    TRACE_TOP = 2,    /* its calls, and those made within it, are shown if others are not */
    TRACE_STACK = 4,  /* its entries have a chain */
};

/* What is wanted, and where it goes. */
struct trace_limits {
    unsigned depth; /* levels of calls, of a task's first function or a TRACE_TOP on; 0: all */
    double min_s;   /* duration of the shortest call, 0: all */
    bool below;     /* only calls of a TRACE_TOP, and within it */
    bool exits;     /* needed by what takes the events, even if nothing is limited */
    bool chains;    /* entries of a TRACE_STACK have a chain, for which no exits are needed */

    /* Returns choices of a function. It is asked once for each function of a recording. */
    unsigned (*choose)(void *context, const struct trace_function *function);

    /* Takes an event that is let through. Events come in the order in which they are put. Returns
     * 0, or what the functions below are to return. */
    int (*put)(void *context, const struct trace_event *event);
    void *context;
};

/* Why a filter ends, besides what put() returns, which must not be negative. */
enum trace_refusal {
    TRACE_NO_MEMORY = -1,
    TRACE_NO_EXITS = -2, /* no function returns, so the stacks are not known */
    TRACE_NO_RATE = -3,  /* durations in seconds are not known */
};

/* Entries of which some would have returned, were there exits. */
#define TRACE_ENTRIES_ENOUGH 100

struct call_filter;

/*
 * Creates a filter, which the caller frees. limits is copied; points and about are those of the
 * events, and borrowed. Returns NULL if memory runs out.
 *
 * Marks are always let through. A call is shown from its entry on, and so is its exit. With min_s
 * the entry is held back until its exit is known, or min_s is over; more than 65536 events do not
 * wait for that. So do the events after it, and all events before the first exit.
 */
struct call_filter *call_filter_new(const struct trace_limits *limits,
                                    const struct trace_points *points,
                                    const struct trace_about *about);
void call_filter_free(struct call_filter *filter);

/* Takes an event of any kind. Returns 0, a trace_refusal, or what put() has returned. */
int call_filter_put(struct call_filter *filter, const struct trace_event *event)
    __attribute__((warn_unused_result));

/* Hands on what is held back, without the calls that have not lasted long enough. Call it at the
 * end, and before the points are cleared. Returns as call_filter_put(). */
int call_filter_end(struct call_filter *filter) __attribute__((warn_unused_result));

struct call_filter_state {
    /* Events whose callers are not known, because they were entered before the trace began or
     * events were lost after that. depth is counted from the first one that is known, until events
     * are lost; other such events are not shown. */
    uint64_t unplaced;
    uint64_t entries; /* while no function has returned; else 0 */
    bool has_top;     /* a TRACE_TOP has come */
    bool has_stack;   /* a TRACE_STACK has come */
};

struct call_filter_state call_filter_state(const struct call_filter *filter);

#endif
