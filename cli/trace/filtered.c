/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hands on events in their order, each as soon as it is known that its call lasts long enough. */
#include "filtered.h"

#include <stdlib.h>

bool filtered_one_clock(const struct call_filter *filter, unsigned core)
{
    const struct call_filter *f = filter;

    return f->about->threads || f->stacks.cores[core].shares;
}

struct clock *filtered_clock(struct call_filter *filter, unsigned core)
{
    return &filter->clocks[filtered_one_clock(filter, core) ? 0 : core];
}

static bool has_lasted(struct call_filter *f, const struct trace_event *entry)
{
    const struct clock *clock = filtered_clock(f, entry->core);

    return clock->latest - entry->ticks >= f->clocks[entry->core].least;
}

int filtered_settle(struct call_filter *filter, bool all)
{
    struct call_filter *f = filter;
    struct held_event *h;
    int status = 0;

    while (status == 0 && (h = held_first(&f->held)) != NULL) {
        /* How much of the time is the hooks', the exit tells. */
        if (h->state == HELD_WAITS && (f->cost.call > 0 || !has_lasted(f, &h->event))) {
            if (!all && f->held.count - f->held.first < HELD_MAX)
                break;
            h->state = all ? HELD_HIDDEN : HELD_SHOWN;
        }
        if (h->state != HELD_HIDDEN)
            status = f->limits.put(f->limits.context, &h->event);
        held_leave(&f->held);
    }
    return status;
}

int filtered_show(struct call_filter *filter, const struct trace_event *event)
{
    struct call_filter *f = filter;
    const struct trace_event *e = event;

    if (held_is_empty(&f->held))
        return f->limits.put(f->limits.context, e);
    return held_add(&f->held, e, NULL, HELD_SHOWN, NULL) ? filtered_settle(f, false)
                                                         : TRACE_NO_MEMORY;
}

void filtered_abandon(struct call_filter *filter, struct frame *frame, bool lost)
{
    struct call_filter *f = filter;
    struct held_event *h = frame->held != 0 ? held_find(&f->held, frame->held) : NULL;

    if (!h)
        return;
    frame->held = 0;
    if (has_lasted(f, &h->event)) {
        h->state = HELD_SHOWN;
        return;
    }
    f->state.unplaced += lost;
    frame->passes = false;
    held_hide(&f->held, h);
}

int filtered_enter(struct call_filter *filter, struct frame *frame, const struct trace_event *entry,
                   struct trace_chain *chain)
{
    struct call_filter *f = filter;
    bool waits = f->limits.min_s > 0;
    struct trace_event shown = *entry;

    if (!waits && held_is_empty(&f->held)) {
        shown.chain = chain;
        int status = f->limits.put(f->limits.context, &shown);
        free(chain);
        return status;
    }
    if (held_add(&f->held, entry, chain, waits ? HELD_WAITS : HELD_SHOWN,
                 waits ? &frame->held : NULL))
        return filtered_settle(f, false);
    free(chain);
    return TRACE_NO_MEMORY;
}

int filtered_leave(struct call_filter *filter, const struct stack *stack, const struct frame *frame,
                   const struct trace_event *exit)
{
    struct call_filter *f = filter;
    const struct trace_event *e = exit;
    struct held_event *h = frame->held != 0 ? held_find(&f->held, frame->held) : NULL;

    if (!h)
        return filtered_show(f, e);
    int outside =
        trace_function_at(f->points, trace_point_at(f->points, e->point)->function)->outside;
    if (cost_duration(&f->cost, stack, frame, outside, e->ticks) < f->clocks[e->core].least) {
        held_hide(&f->held, h);
        return filtered_settle(f, false);
    }
    h->state = HELD_SHOWN;
    return filtered_show(f, e);
}
