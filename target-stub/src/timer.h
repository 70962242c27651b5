/* SPDX-License-Identifier: 0BSD */
/* What the timers that are ours have in common: their period and its jitter. */
#ifndef MPROF_TIMER_H
#define MPROF_TIMER_H

#include "admit.h"

/* Writes the header's rates. Returns the mean period in ticks, between least and most. */
uint32_t mprof_timer_set(uint32_t tick_hz, uint32_t sample_hz, uint32_t least, uint32_t most);

/* The longest mean period whose longest one, half as long again, SysTick and 32 bits can hold. */
#define MPROF_PERIOD_JITTERED 0xaa0000U

/* Another number at each sample: the header's counters may belong to calls. */
MPROF_INLINE uint32_t mprof_timer_number(void)
{
    const volatile struct mprof_prof *prof = MPROF_PROF;

#if MPROF_SAMPLES_BEAT && !MPROF_STREAM_ONLY
    return prof->header.heartbeat;
#elif MPROF_STREAM_CNT && MPROF_HIST_CNT
    return prof->stream_lead.head / MPROF_STREAM_STEP + prof->histogram_lead.events;
#elif MPROF_STREAM_CNT
    return prof->stream_lead.head / MPROF_STREAM_STEP;
#elif MPROF_HIST_CNT
    return prof->histogram_lead.events;
#else
    return prof->header.heartbeat;
#endif
}

/* A number below limit; limit / 2 - 1/2 in the mean. */
MPROF_INLINE uint32_t mprof_timer_below(uint32_t limit, uint32_t random)
{
#if defined(__thumb__) && !defined(__thumb2__)
    /* No product of 64 bits here. An odd factor, whose mean is half of 256. */
    return limit * (random >> 24 | 1) >> 8;
#else
    return (uint32_t)((uint64_t)limit * random >> 32);
#endif
}

/* Ticks to the next sample, with jitter from half the mean period to one and a half. A smaller
 * range lets what is in step with the firmware come round slowly, so that samples near each other
 * are alike, and intervals promise too much: at an eighth up and down, their errors are 4 times
 * what independent samples have; at a half, 1.05 times. A new mprof_init() may have made the period
 * 0 while the timer runs, so it is least at the least. */
MPROF_INLINE uint32_t mprof_timer_next(uint32_t least)
{
    uint32_t period = ((volatile struct mprof_header *)&MPROF_PROF->header)->period;

    if (period < least)
        period = least;
    if (!MPROF_JITTER)
        return period;
    return (period >> 1) + mprof_timer_below(period + 1, mprof_mixed(mprof_timer_number()));
}

#endif
