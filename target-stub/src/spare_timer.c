/* SPDX-License-Identifier: 0BSD */
/* The jitter of a timer that the firmware owns. */
#include "timer.h"

#define PERIOD_MIN 4U /* half of it is a period that a timer can have */

MPROF_UNHOOKED uint32_t mprof_spare_timer(uint32_t tick_hz, uint32_t sample_hz)
{
    return mprof_timer_set(tick_hz, sample_hz, PERIOD_MIN, MPROF_PERIOD_JITTERED);
}

MPROF_CODE uint32_t mprof_next_period(void)
{
    return mprof_timer_next(PERIOD_MIN);
}
