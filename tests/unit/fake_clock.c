/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A clock that moves only when it is told to. */
#include "fake_clock.h"

#include <stdbool.h>
#include <time.h>

#define START_NS  1000000000000U
#define NS_PER_MS 1000000U
#define NS_PER_S  1000000000U

static bool stands;
static uint64_t now_ns;

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __real_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);

void fake_clock_start(void)
{
    stands = true;
    now_ns = START_NS;
}

void fake_clock_stop(void)
{
    stands = false;
}

void fake_clock_pass(int ms)
{
    now_ns += (uint64_t)ms * NS_PER_MS;
}

uint64_t fake_clock_passed_ms(void)
{
    return (now_ns - START_NS) / NS_PER_MS;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!stands)
        return __real_clock_gettime(clock, time);
    time->tv_sec = (time_t)(now_ns / NS_PER_S);
    time->tv_nsec = (long)(now_ns % NS_PER_S);
    return 0;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    if (!stands)
        return __real_nanosleep(time, left);
    now_ns += (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
    return 0;
}
