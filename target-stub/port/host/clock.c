/* SPDX-License-Identifier: 0BSD */
/* How fast the clock of a process's trace is. */
#ifdef __linux__
#define _POSIX_C_SOURCE 200809L

#include <time.h>

#include "gate.h"

#if MPROF_THREADS && MPROF_TRACE_CNT

#define NS_PER_S   1000000000U
#define MEASURE_NS 1000000U
#define LOOKS      8 /* of which the one counts that took least: none may have been interrupted */

#ifdef mprof_port_time_wide

struct instant {
    uint64_t ns, ticks;
};

MPROF_UNHOOKED static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

MPROF_UNHOOKED static struct instant look(void)
{
    struct instant best = {0, 0};
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < LOOKS; i++) {
        uint64_t before = mprof_port_time_wide();
        uint64_t ns = now_ns();
        uint64_t took = mprof_port_time_wide() - before;

        if (took < least) {
            least = took;
            best = (struct instant){ns, before + took / 2};
        }
    }
    return best;
}

MPROF_UNHOOKED uint32_t mprof_host_time_hz(void)
{
    static uint32_t hz;

    if (hz != 0)
        return hz;
    struct instant begin = look();

    while (now_ns() - begin.ns < MEASURE_NS)
        ;
    struct instant end = look();
    uint64_t rate = (end.ticks - begin.ticks) * NS_PER_S / (end.ns - begin.ns);

    hz = rate < MPROF_TRACE_NO_TIME ? (uint32_t)rate : 0;
    return hz;
}

#else

MPROF_UNHOOKED uint32_t mprof_host_time_hz(void)
{
    return 0;
}

#endif
#endif
#endif
