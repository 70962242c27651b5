/* SPDX-License-Identifier: 0BSD */
/* What the timers that are ours have in common: their period, its jitter, and late samples. */
#ifndef MPROF_TIMER_H
#define MPROF_TIMER_H

#include "admit.h"

/* Writes the header's rates. Returns the mean period in ticks, between least and most. */
uint32_t mprof_timer_set(uint32_t tick_hz, uint32_t sample_hz, uint32_t least, uint32_t most);

/* Counts a late sample; is MPROF_STREAM_LATE. */
uint32_t mprof_timer_late(void);

/* Ticks to the next sample: the period, give or take an eighth of it. 256 steps of a quarter begin
 * half a step below. */
MPROF_INLINE uint32_t mprof_timer_next(void)
{
    volatile struct mprof_header *header = &MPROF_PROF->header;
    uint32_t period = header->period;
    uint32_t step = mprof_mixed(header->heartbeat) >> 24;

    return period - (period >> 3) + (period >> 11) + ((period >> 2) * step >> 8);
}

#endif
