/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the events of a trace that were read. */
#include <base/vec.h>

#include "table_private.h"

/* An event that was interrupted has a later time than the one after it in its core. */
static int64_t place_in_time(struct trace *t, const struct sampler_event *event)
{
    struct trace_place *place = &t->places[event->core];

    if (event->kind == SAMPLER_EVENT_CALL && place->lead.one_clock) {
        int64_t ticks = decode_clock_ticks(&t->clock, &event->call);
        place->latest = place->latest > ticks ? place->latest : ticks;
        t->latest = t->latest > ticks ? t->latest : ticks;
    }
    return place->latest;
}

bool trace_add_event(struct trace *t, const struct sampler_event *event)
{
    if (!VEC_ROOM(t->read, t->read_capacity, t->read_count, 1))
        return false;
    t->read[t->read_count++] = (struct trace_read){
        .ticks = place_in_time(t, event), .number = t->number++, .event = *event};
    return true;
}

/* What is lost in one place is one event. */
bool trace_add_lost(struct trace *t, size_t core, enum sampler_event_kind kind, uint32_t count)
{
    struct sampler_event event = {.kind = kind, .core = (unsigned)core, .count = count};
    struct sampler_event *last = t->read_count != 0 ? &t->read[t->read_count - 1].event : NULL;

    if (count == 0)
        return true;
    if (!last || last->kind != kind || last->core != event.core)
        return trace_add_event(t, &event);
    last->count += count;
    return true;
}
