/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Monotonic time. */
#ifndef BASE_MONOTONIC_H
#define BASE_MONOTONIC_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the monotonic time in seconds. Its zero has no meaning. */
double monotonic_s(void);

/* Returns the milliseconds to wait until some seconds have passed, rounded up, at most an hour; 0
 * if there is no need to wait because the clock of monotonic_use() moves by itself. */
int monotonic_wait_ms(double seconds);

/* Takes the time from another clock than the system's. now_ns() returns nanoseconds; skip() returns
 * true if it has let some milliseconds pass at once. */
void monotonic_use(uint64_t (*now_ns)(void), bool (*skip)(int ms));

#endif
