/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop of the live screen: starts what the link has to do when that is due, and waits for keys.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>

#include "live_private.h"

/* How often the screen is drawn while the link keeps it waiting, for the age of its numbers. */
#define AGE_S 1

static void plan_drain(struct live_link *link)
{
    double drain_s = watch_drain_s(link->target);

    link->drain_s = drain_s > 0 ? monotonic_s() + drain_s : INFINITY;
}

/* When the next poll may begin, which is later where --allow-halt or --link-share asks for it. */
static void plan_poll(struct live *l)
{
    struct live_link *link = &l->link;
    double asked_s = link->begun_s + watch_delay_s(link->target, l->options->delay_s);

    link->due_s = fmax(asked_s, monotonic_s() + fmax(watch_pause_s(link->target), 0));
    plan_drain(link);
}

/* Comparing the code with the ELF file has halted the target already. */
static void plan_first_poll(struct live *l)
{
    struct watch *target = l->link.target;
    double pause = watch_halt_pause_s(target);

    l->link.due_s = monotonic_s() + fmax(pause, 0);
    l->link.drain_s = INFINITY;
    if (pause > 0)
        snprintf(target->message, sizeof(target->message),
                 "the target was halted to compare its code; the next halt, to read counts, is in "
                 "%.1f s (--allow-halt=%g)",
                 pause, l->options->duty);
    else
        snprintf(target->message, sizeof(target->message), "reading %s ...", l->options->symbol);
}

/* Starts what is due. */
static void start_due(struct live *l)
{
    struct live_link *link = &l->link;
    double now_s = monotonic_s();

    if (link->request_count != 0) {
        live_start(l, LIVE_REQUEST);
    } else if (link->poll || now_s >= link->due_s) {
        link->poll = false;
        link->begun_s = now_s;
        live_start(l, LIVE_POLL);
    } else if (now_s >= link->drain_s) {
        live_start(l, LIVE_DRAIN);
    }
}

static double wait_s(const struct live *l)
{
    const struct live_link *link = &l->link;

    if (poller_is_busy(&link->poller))
        return AGE_S;
    return link->poll ? 0 : fmax(fmin(link->due_s, link->drain_s) - monotonic_s(), 0);
}

/* Shows what the link's work has brought, and plans the next. */
static int take_over(struct live *l, bool *polled)
{
    struct live_link *link = &l->link;
    enum live_work ended = link->work;
    int status = live_take_over(l);

    *polled = ended == LIVE_POLL && link->target->fresh;
    if (ended == LIVE_POLL)
        plan_poll(l);
    else if (ended == LIVE_DRAIN)
        plan_drain(link);
    return status;
}

int live_run(struct live *live, char failure[WATCH_TEXT])
{
    struct live_link *link = &live->link;
    unsigned long polls = 0;
    bool polled = false;

    plan_first_poll(live);
    int status = live_publish(live) && live_show(live) ? STATUS_DONE
                                                       : watch_fail(link->target, "out of memory");
    while (status == STATUS_DONE && signals_pending() == 0) {
        if (!poller_is_busy(&link->poller))
            live_run_waiting(live);
        if (!live->leave && !poller_is_busy(&link->poller))
            start_due(live);
        if (live->leave || !live_wait(live, wait_s(live)))
            break;
        status = live->status;
        if (status == STATUS_DONE && poller_is_done(&link->poller)) {
            status = take_over(live, &polled);
            if (polled && ++polls == live->options->iterations)
                break;
        }
    }
    if (status != STATUS_DONE)
        memcpy(failure, link->target->failure, WATCH_TEXT);
    return status;
}
