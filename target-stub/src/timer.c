/* SPDX-License-Identifier: 0BSD */
/* What the timers that are ours have in common, where it need not be fast. */
#include "timer.h"

uint32_t mprof_timer_set(uint32_t tick_hz, uint32_t sample_hz, uint32_t least, uint32_t most)
{
    volatile struct mprof_header *header = &MPROF_PROF->header;
    uint32_t period = sample_hz == 0 ? most : tick_hz / sample_hz;

    if (period < least)
        period = least;
    if (period > most)
        period = most;
    header->tick_hz = tick_hz;
    header->sample_hz = tick_hz / period + (tick_hz % period >= period - period / 2);
    header->period = period;
    if (MPROF_JITTER)
        header->flags |= MPROF_FLAG_JITTERED;
    return period;
}

MPROF_CODE uint32_t mprof_timer_late(void)
{
    mprof_port_add(MPROF_PROF, header.late, 1);
    return MPROF_STREAM_LATE;
}
