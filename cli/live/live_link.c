/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses of the link: polls, and what keys ask of the target. None of them keeps the screen waiting.
 */
#include <stdlib.h>
#include <string.h>

#include <base/say.h>
#include <base/signals.h>
#include <gdbmi/record.h>

#include "live_private.h"

bool live_is_link_taken(const struct live *live)
{
    return poller_is_busy(&live->link.poller) || live->link.request_count != 0;
}

bool live_is_asked(const struct live *live)
{
    return live->over.yes && !live->over.prompt && !live->over.menu.chosen;
}

/* A context that a key has chosen stays chosen, in the ELF file that has it. */
bool live_publish(struct live *live)
{
    const struct elf_file *now = &live->link.target->session.elf;
    const struct elf_file *then = &live->shown.session.elf;
    const struct view_ignore ignore = live->shown.session.ignore;
    bool same = now->symtab == then->symtab && file_stamp_same(&now->loaded, &then->loaded);

    if (!watch_copy(live->link.target, &live->shown))
        return false;
    if (same)
        live->shown.session.ignore = ignore;
    return true;
}

static void run_request(struct live_request *r, struct watch *target)
{
    struct session *s = &target->session;
    bool said = s->said;

    if (!r->silent && (!s->link || !s->sampler)) {
        r->status = fail("the connection is lost: wait until it is back");
        return;
    }
    s->said = false; /* each key has an answer of its own */
    r->status = r->run(r, target);
    s->said |= said;
}

/* In the poller's thread. */
static void work(void *context)
{
    struct live_link *link = context;

    gdbmi_record_take();
    link->status = STATUS_DONE;
    switch (link->work) {
    case LIVE_POLL:
        link->status = watch_read(link->target);
        if (link->status == STATUS_DONE && !signals_stop())
            time_range_look(link->target);
        if (link->reads_arcs && !signals_stop())
            zoom_arcs_read(link->arcs, &link->target->session);
        break;
    case LIVE_DRAIN:
        watch_drain(link->target);
        break;
    case LIVE_REQUEST:
        run_request(&link->requests[0], link->target);
        break;
    case LIVE_NO_WORK:
        break;
    }
}

void live_start(struct live *live, enum live_work of)
{
    struct live_link *link = &live->link;

    link->work = of;
    link->reads_arcs =
        of == LIVE_POLL && live->zoom && zoom_wants_arcs(live->zoom, live->model.profile);
    poller_start(&link->poller, work, link);
}

/* What a reading says beyond its numbers. */
static int follow_poll(struct live *l)
{
    struct watch *target = l->link.target;
    struct time_range *range = l->model.range;

    if (l->link.reads_arcs && l->zoom && !zoom_take_arcs(l->zoom, l->link.arcs))
        return STATUS_FAILED;
    if (!time_range_update(range, &l->shown))
        return STATUS_FAILED;
    if (time_range_said(range))
        watch_notice(target, "%s", time_range_said(range));
    if (target->profile.fixed)
        target->lockstep = l->shown.lockstep = lockstep_of(time_range_recent_window(range));
    return STATUS_DONE;
}

static void show_result(struct live *l, struct live_request *r)
{
    if (r->status != STATUS_DONE)
        live_say_complaint(l);
    else if (r->done)
        r->done(l, r);
    l->link.poll |= r->polls;
}

static void end_request(struct live *l)
{
    struct live_link *link = &l->link;
    struct live_request ended = link->requests[0];

    link->request_count--;
    memmove(link->requests, link->requests + 1, link->request_count * sizeof(ended));
    if (!ended.silent)
        l->over.notice[0] = '\0';
    show_result(l, &ended);
}

int live_collect(struct live *live)
{
    struct live_link *link = &live->link;
    enum live_work ended = link->work;

    poller_finish(&link->poller);
    gdbmi_record_take();
    link->work = LIVE_NO_WORK;
    int status = link->status;
    if (status == STATUS_DONE && ended == LIVE_POLL)
        status = watch_comment(link->target);
    if (status != STATUS_DONE || ended == LIVE_DRAIN)
        return status;
    bool shown = live_publish(live);
    if (shown && ended == LIVE_POLL)
        shown = follow_poll(live) == STATUS_DONE;
    else if (shown)
        end_request(live);
    return shown ? STATUS_DONE : watch_fail(link->target, "out of memory");
}

bool live_is_connected(struct live *live)
{
    struct live *l = live;

    if (l->shown.trouble == WATCH_LOST)
        live_say(l, true,
                 l->shown.session.awaited ? "there is no debug server yet: wait for it"
                                          : "the connection is lost: wait until it is back");
    return l->shown.trouble != WATCH_LOST;
}

static void run_now(struct live *l, struct live_request request)
{
    signals_hold(true);
    run_request(&request, l->link.target);
    signals_hold(false);
    if (live_publish(l))
        show_result(l, &request);
    else
        live_say(l, true, "out of memory");
}

void live_request(struct live *live, const struct live_request *request)
{
    struct live_link *link = &live->link;

    if (!request->silent && !live_is_connected(live))
        return;
    if (live->aside) {
        run_now(live, *request);
        return;
    }
    if (link->request_count == LIVE_REQUESTS) {
        live_say(live, true, "the debug server has not answered yet: try again later");
        return;
    }
    if (!request->silent && live_is_link_taken(live))
        live_say(live, false, "waiting for the debug server to answer ...");
    link->requests[link->request_count++] = *request;
}
