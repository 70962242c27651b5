/* SPDX-License-Identifier: 0BSD */
/* What the timers that are ours have in common, where it need not be fast. */
#include "timer.h"

/* By 0 it is all ones. Digit by digit: small cores cannot divide, and a library's division is
 * larger than all of this. */
MPROF_UNHOOKED static uint32_t divide(uint32_t number, uint32_t by, uint32_t *rest)
{
#if defined(__ARM_FEATURE_IDIV) || defined(__riscv_div) || defined(__x86_64__)
    *rest = by == 0 ? 0 : number % by;
    return by == 0 ? UINT32_MAX : number / by;
#else
    uint32_t result = 0;

    *rest = 0;
    for (int bit = 31; bit >= 0; bit--) {
        uint32_t carry = *rest >> 31;

        *rest = *rest << 1 | (number >> bit & 1);
        if (carry || *rest >= by) {
            *rest -= by;
            result |= 1U << bit;
        }
    }
    return result;
#endif
}

MPROF_UNHOOKED uint32_t mprof_timer_set(uint32_t tick_hz, uint32_t sample_hz, uint32_t least,
                                        uint32_t most)
{
    volatile struct mprof_header *header = &MPROF_PROF->header;
    uint32_t rest;
    uint32_t period = divide(tick_hz, sample_hz, &rest);

    if (period < least)
        period = least;
    if (period > most)
        period = most;
    if (MPROF_JITTER)
        period &= ~1U; /* the mean of mprof_timer_next() is that of an even one */
    header->tick_hz = tick_hz;
    header->sample_hz = sample_hz;
    if (!MPROF_SMALL) {
        header->sample_hz = divide(tick_hz, period, &rest);
        header->sample_hz += rest >= period - period / 2;
    }
    header->period = period;
    if (MPROF_JITTER)
        header->flags |= MPROF_FLAG_JITTERED;
    return period;
}
