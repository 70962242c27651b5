/* SPDX-License-Identifier: 0BSD */
/* Monotonic time and deadlines. */
#include "clock.h"

#include <limits.h>
#include <time.h>

#define NS_PER_MS 1000000U

uint64_t clock_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t clock_deadline(int timeout_ms)
{
    return clock_now_ns() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;
}

int clock_left_ms(uint64_t deadline)
{
    uint64_t now = clock_now_ns();

    if (now >= deadline)
        return 0;
    uint64_t left = (deadline - now + NS_PER_MS - 1) / NS_PER_MS;
    return left > INT_MAX ? INT_MAX : (int)left;
}

void clock_sleep_ms(int ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

    nanosleep(&time, NULL);
}
