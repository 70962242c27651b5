/* SPDX-License-Identifier: 0BSD */
/* Monotonic time, deadlines, and a limit for all waits of one operation. */
#ifndef GDBMI_SRC_CLOCK_H
#define GDBMI_SRC_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the monotonic time in nanoseconds, or what the source of clock_use() says. Its zero has
 * no meaning. */
uint64_t clock_now_ns(void);

/* A source of the time in place of the system's. */
struct clock_source {
    uint64_t (*now_ns)(void); /* never goes back; as clock_system_ns() before it was used */
    bool (*skip)(int ms);     /* true: that time has passed at once, so there is no need to sleep */
};

/* Takes the time from *source in all threads, which lives until another is used; NULL: from the
 * system. */
void clock_use(const struct clock_source *source);

/* Returns the system's monotonic time in nanoseconds, whatever the source is. */
uint64_t clock_system_ns(void);

/* Returns the time timeout_ms from now, in nanoseconds, for clock_left_ms(); a negative timeout is
 * 0. It is never later than the limit of the thread, see below. */
uint64_t clock_deadline(int timeout_ms);

/*
 * The limit of an operation bounds all of its waits together. It belongs to the thread, and
 * clock_deadline() obeys it, so functions that wait need no further argument. Without a limit a
 * thread waits as long as each timeout says. Each function that sets the limit returns the limit
 * before, which the caller must restore with clock_limit_end().
 */

/* Sets the limit to ms milliseconds from now, unless an earlier one is set. */
uint64_t clock_limit_begin(uint64_t ms);

/* Sets the limit to ms milliseconds from now, also if that is later: for what must be tried after
 * an operation's time is over, such as to resume a target. */
uint64_t clock_limit_apart(uint64_t ms);

/* Removes the limit: for closing, and for a process forked in an operation. */
uint64_t clock_limit_lift(void);

/* Restores the limit that one of the functions above returned. */
void clock_limit_end(uint64_t before);

/* Moves the limit by ms milliseconds, if one is set: for bytes that were not expected when it was
 * set. */
void clock_limit_grow(uint64_t ms);

/* Returns the milliseconds until a deadline, rounded up; 0 if it has passed. */
int clock_left_ms(uint64_t deadline);

/* Sleeps for ms milliseconds, or less if a signal interrupts it. */
void clock_sleep_ms(int ms);

#endif
