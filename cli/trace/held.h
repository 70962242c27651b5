/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events in their order, of which some wait until it is known whether they are shown. */
#ifndef TRACE_HELD_H
#define TRACE_HELD_H

#include <trace/event.h>

/* As many events as wait at most. */
#define HELD_MAX ((size_t)1 << 16)

enum held_state {
    HELD_WAITS,
    HELD_SHOWN,
    HELD_HIDDEN,
};

/* The queue. Zeroed memory is empty. */
struct held_events {
    struct held_event {
        struct trace_event event;
        enum held_state state;
        struct trace_chain *chain; /* owned; the event's; NULL: none */
    } * all;                       /* owned; those from first on */
    size_t first, count, capacity;
    uint64_t gone; /* events that have left it */
};

void held_free(struct held_events *held);

static inline bool held_is_empty(const struct held_events *held)
{
    return held->first == held->count;
}

/* Adds an event at the end, which owns the chain, that may be NULL. Sets *number to its number,
 * from 1 on, unless number is NULL. Returns false if memory runs out; the chain is the caller's
 * then. */
bool held_add(struct held_events *held, const struct trace_event *event, struct trace_chain *chain,
              enum held_state state, uint64_t *number);

/* Returns the event with a number; NULL: it has left. */
struct held_event *held_find(const struct held_events *held, uint64_t number);

/* Hides an event that waits; at the end of the queue it gives its memory back. */
void held_hide(struct held_events *held, struct held_event *event);

/* Returns the first event, which may be changed; NULL: there is none. */
struct held_event *held_first(const struct held_events *held);

/* Takes the first event off, and frees its chain. */
void held_leave(struct held_events *held);

#endif
