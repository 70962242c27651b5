/* SPDX-License-Identifier: 0BSD */
/* What the timers that are ours have in common: their period, its jitter, and late samples. */
#ifndef MPROF_TIMER_H
#define MPROF_TIMER_H

#include "admit.h"

/* Writes the header's rates. Returns the mean period in ticks, between least and most. */
uint32_t mprof_timer_set(uint32_t tick_hz, uint32_t sample_hz, uint32_t least, uint32_t most);

/* Counts a late sample; is MPROF_STREAM_LATE. */
uint32_t mprof_timer_late(void);

/* The longest mean period whose longest one, half as long again, SysTick and 32 bits can hold. */
#define MPROF_PERIOD_JITTERED 0xaa0000U

/* Another number at each sample. */
MPROF_INLINE uint32_t mprof_timer_number(void)
{
#if MPROF_STREAM_ONLY
    return ((volatile struct mprof_stream_lead *)&MPROF_PROF->stream_lead)->head /
           MPROF_STREAM_STEP;
#else
    return ((volatile struct mprof_header *)&MPROF_PROF->header)->heartbeat;
#endif
}

/* Ticks to the next sample: from half the mean period to one and a half. A smaller range lets what
 * is in step with the firmware come round slowly, so that samples near each other are alike, and
 * intervals promise too much: at an eighth up and down, their errors are 4 times what independent
 * samples have; at a half, 1.05 times. */
MPROF_INLINE uint32_t mprof_timer_next(void)
{
    volatile struct mprof_header *header = &MPROF_PROF->header;
    uint32_t period = header->period;
    uint32_t step = mprof_mixed(mprof_timer_number()) >> 24;

    return (period >> 1) + (period >> 9) + (period * step >> 8);
}

#endif
