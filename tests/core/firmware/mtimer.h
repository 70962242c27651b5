/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine timer of QEMU's virt: mtime counts 10 MHz, so that its low word wraps in 7 minutes,
 * and in 420 million instructions under -icount shift=10 (RISC-V privileged specification, machine
 * timer registers). */
#ifndef MTIMER_H
#define MTIMER_H

#include <stdint.h>

#define MTIMER_COMPARE ((volatile uint32_t *)0x02004000U)
#define MTIMER_TIME    ((volatile uint32_t *)0x0200bff8U)

/* Always inlined, and without call hooks: a program that tests hooks gets no calls from here. */
#define MTIMER_INLINE static inline __attribute__((always_inline, unused, no_instrument_function))

/* No interrupt comes until the next mtimer_start(), nor one that is pending. Of hart 0. */
MTIMER_INLINE void mtimer_stop(void)
{
    MTIMER_COMPARE[1] = UINT32_MAX;
}

/* Lets an interrupt come after ticks of 0.1 us, or a few instructions later. Replaces the one that
 * was set. */
MTIMER_INLINE void mtimer_start(uint32_t ticks)
{
    uint32_t high, low;

    mtimer_stop();
    do {
        high = MTIMER_TIME[1];
        low = MTIMER_TIME[0];
    } while (high != MTIMER_TIME[1]);
    MTIMER_COMPARE[0] = low + ticks;
    MTIMER_COMPARE[1] = high + (low + ticks < low);
}

#endif
