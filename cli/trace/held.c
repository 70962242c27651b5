/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps events that are held back. */
#include "held.h"

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

void held_free(struct held_events *held)
{
    while (!held_is_empty(held))
        held_leave(held);
    free(held->all);
}

/* Half of the array at least is free after that. */
static void move_down(struct held_events *h)
{
    memmove(h->all, h->all + h->first, (h->count - h->first) * sizeof(*h->all));
    h->gone += h->first;
    h->count -= h->first;
    h->first = 0;
}

bool held_add(struct held_events *held, const struct trace_event *event, struct trace_chain *chain,
              enum held_state state, uint64_t *number)
{
    struct held_events *h = held;

    if (h->first != 0 && h->first >= h->count / 2)
        move_down(h);
    if (!VEC_ROOM(h->all, h->capacity, h->count, 1))
        return false;
    h->all[h->count++] = (struct held_event){.event = *event, .state = state, .chain = chain};
    h->all[h->count - 1].event.chain = chain;
    if (number)
        *number = h->gone + h->count;
    return true;
}

struct held_event *held_find(const struct held_events *held, uint64_t number)
{
    return number > held->gone + held->first ? &held->all[number - held->gone - 1] : NULL;
}

void held_hide(struct held_events *held, struct held_event *event)
{
    struct held_events *h = held;

    event->state = HELD_HIDDEN;
    free(event->chain);
    event->chain = NULL;
    while (h->count > h->first && h->all[h->count - 1].state == HELD_HIDDEN)
        h->count--;
}

struct held_event *held_first(const struct held_events *held)
{
    return held_is_empty(held) ? NULL : &held->all[held->first];
}

void held_leave(struct held_events *held)
{
    free(held->all[held->first++].chain);
}
