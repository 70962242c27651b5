/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits while somebody else has the terminal. */
#define _POSIX_C_SOURCE 200809L

#include <poll.h>

#include <base/say.h>
#include <base/signals.h>

#include "live_private.h"

/* While somebody else has the terminal the target is looked at as often. */
#define ASIDE_MS 200

/* A poll that was under way is taken over; its numbers are shown later. */
static void look_at_target(struct live *l)
{
    struct live_link *link = &l->link;

    if (poller_is_done(&link->poller) && l->status == STATUS_DONE)
        l->status = live_collect(l);
    if (poller_is_busy(&link->poller) || watch_drain_s(link->target) <= 0)
        return;
    signals_hold(true);
    watch_drain(link->target);
    signals_hold(false);
}

static bool is_target_due(const struct live *l)
{
    return poller_is_busy(&l->link.poller) || watch_drain_s(l->link.target) > 0;
}

bool live_wait_aside(struct live *live, int fd)
{
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = live->wake_fd, .events = POLLIN}};

    for (;;) {
        int ready = poll(fds, 2, fd < 0 || is_target_due(live) ? ASIDE_MS : -1);
        look_at_target(live);
        if (ready > 0)
            return fds[1].revents == 0;
        if (fd < 0)
            return true;
    }
}
