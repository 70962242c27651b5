/* SPDX-License-Identifier: 0BSD */
/* Monotonic time and deadlines. */
#ifndef GDBMI_SRC_CLOCK_H
#define GDBMI_SRC_CLOCK_H

#include <stdint.h>

/* Nanoseconds from a fixed moment; never goes back. */
uint64_t clock_now_ns(void);

/* The moment timeout_ms from now, for clock_left_ms(). */
uint64_t clock_deadline(int timeout_ms);

/* Milliseconds until the deadline, rounded up; 0 when it has passed. */
int clock_left_ms(uint64_t deadline);

/* Waits; interrupted by a signal, it waits for less. */
void clock_sleep_ms(int ms);

#endif
