/* SPDX-License-Identifier: 0BSD */
/* Ends a halt of the owner's if the owner is stopped, as the guardian does it for other links. */
#ifndef GDBMI_SRC_PROXY_WATCH_H
#define GDBMI_SRC_PROXY_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct proxy_watch {
    pid_t owner; /* 0: nobody is watched */
    uint64_t
        since_ns; /* of clock_now_ns(): since when the core is halted for the owner; 0: it is not */
    uint64_t look_ns; /* the next look at the owner is not earlier */
    int halt_ms;      /* expected length of the halt, or GUARDIAN_NO_LIMIT */
    bool stopped;     /* the owner was, at the last look */
    unsigned
        ended_ms; /* length of a halt that was ended, and of which the owner does not know; 0 */
};

/* The owner has asked for something, so it is not stopped. held: the core is halted for it now. */
void proxy_watch_note(struct proxy_watch *watch, bool held, int halt_ms);

/* When proxy_watch_is_due() is to be called, of clock_now_ns(). */
uint64_t proxy_watch_deadline(const struct proxy_watch *watch);

/* Whether the halt is to be ended: it lasts more than twice as long as expected, and at least
 * GUARDIAN_HALT_MIN_MS, and the owner was stopped at two looks, and asked for nothing in between.
 */
bool proxy_watch_is_due(struct proxy_watch *watch);

/* The halt was ended. */
void proxy_watch_end(struct proxy_watch *watch);

#endif
