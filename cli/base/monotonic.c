/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _POSIX_C_SOURCE 200809L

#include <base/monotonic.h>

#include <math.h>
#include <stddef.h>
#include <time.h>

#define NS_PER_S   1000000000U
#define LONGEST_MS 3600000.0

/* As there is one time for all of the process. */
static uint64_t (*_Atomic other_now_ns)(void);
static bool (*_Atomic other_skip)(int ms);

double monotonic_s(void)
{
    struct timespec now;

    if (other_now_ns) {
        uint64_t ns = other_now_ns();
        return (double)(ns / NS_PER_S) + (double)(ns % NS_PER_S) * 1e-9;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int monotonic_wait_ms(double seconds)
{
    int ms = (int)fmin(ceil(seconds * 1e3), LONGEST_MS);

    return other_skip && other_skip(ms) ? 0 : ms;
}

void monotonic_use(uint64_t (*now_ns)(void), bool (*skip)(int ms))
{
    other_now_ns = now_ns;
    other_skip = skip;
}
