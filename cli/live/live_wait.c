/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits while somebody else has the terminal. */
#define _POSIX_C_SOURCE 200809L

#include <poll.h>

#include <base/signals.h>

#include "live_private.h"

/* While somebody else has the terminal the target is looked at as often. */
#define ASIDE_MS 200

bool live_wait_aside(struct live *live, int fd)
{
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = live->wake_fd, .events = POLLIN}};

    for (;;) {
        bool drains = watch_drain_s(live->watch) > 0;
        int ready = poll(fds, 2, drains || fd < 0 ? ASIDE_MS : -1);
        if (drains) {
            signals_hold(true);
            watch_drain(live->watch);
            signals_hold(false);
        }
        if (ready > 0)
            return fds[1].revents == 0;
        if (fd < 0)
            return true;
    }
}
