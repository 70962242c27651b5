/* SPDX-License-Identifier: 0BSD */
/* Monotonic time, deadlines, and the one limit of all that an operation waits for. */
#ifndef GDBMI_SRC_CLOCK_H
#define GDBMI_SRC_CLOCK_H

#include <stdint.h>

/* Nanoseconds from a fixed moment; never goes back. */
uint64_t clock_now_ns(void);

/* The moment timeout_ms from now, for clock_left_ms(); no later than the limit of the operation,
 * and so of no use after it. */
uint64_t clock_deadline(int timeout_ms);

/*
 * An operation has one limit for all of its waits, however many pieces come in time. It belongs to
 * the thread, so that what waits deep inside needs not be told: clock_deadline() never goes beyond.
 * clock_limit_begin() sets it ms from now, or leaves an earlier one; clock_limit_apart() replaces
 * it, for what must have time of its own after the limit has passed (letting a target go). Both
 * return what clock_limit_end() is to be given at the end. clock_limit_grow() moves the limit that
 * holds now, for bytes that have come and were not counted when it was set.
 */
uint64_t clock_limit_begin(uint64_t ms);
uint64_t clock_limit_apart(uint64_t ms);
void clock_limit_end(uint64_t before);
void clock_limit_grow(uint64_t ms);

/* No limit, for what has bounds of its own: closing, and a process that was forked in an operation.
 */
uint64_t clock_limit_lift(void);

/* Milliseconds until the deadline, rounded up; 0 when it has passed. */
int clock_left_ms(uint64_t deadline);

/* Waits; interrupted by a signal, it waits for less. */
void clock_sleep_ms(int ms);

#endif
