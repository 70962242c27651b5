/* SPDX-License-Identifier: 0BSD */
/* The stub's functions, called by the firmware. */
#ifndef MPROF_MPROF_H
#define MPROF_MPROF_H

#include <stddef.h>
#include <stdint.h>

#include <mprof/config.h>
#include <mprof/layout.h>

#ifdef __cplusplus
extern "C" {
#endif

#if UINTPTR_MAX > 0xffffffffU
typedef struct mprof_item64 mprof_item_t;
#else
typedef struct mprof_item32 mprof_item_t;
#endif

/*
 * What the host reads. The firmware need not look at it; in a debugger, `p/a s_prof.items` shows
 * the rows with the names of their functions. An unused row has stamp 0 and addr 1.
 */
struct mprof_prof {
    struct mprof_header header;
    struct mprof_block blocks[1];
    mprof_item_t items[MPROF_CNT];
};

extern struct mprof_prof s_prof;

/*
 * Clears s_prof and lets hits in; before it, mprof_sample() does nothing. Call it once, early in
 * main(). Calling it again starts anew: all counts 0, boot one higher, and a feeder is to be started
 * again behind it. boot counts resets too where
 * s_prof lies in RAM that start-up code leaves alone. About 7 instructions an item. Not to be
 * called from an interrupt that may have interrupted mprof_sample().
 */
void mprof_init(void);

/*
 * Counts one hit at the address pc; bit 0 of a Thumb address does no harm. May be called from
 * interrupts of any priority, nested, and from threads. Never blocks and never fails: a hit that no
 * row takes is counted in s_prof.header.dropped, so that before a counter wraps
 *     sum of hits + dropped + ignored == heartbeat.
 */
void mprof_sample(uintptr_t pc);

/*
 * The SysTick feeder (Cortex-M): sample_hz times a second, SysTick_Handler counts the interrupted
 * program counter. cpu_hz is the processor's clock. The period is a whole number of cycles from
 * 256 to 2^24; what is out of that range gets the nearest that can be had, and header.sample_hz is what
 * it came to (rounded). Rates that share no factor with the firmware's own timers see more.
 *
 * SysTick gets the highest configurable priority, so that interrupts are seen too. It is for
 * firmware without an operating system: one that owns SysTick calls mprof_sample() from another
 * timer. Using this function brings in SysTick_Handler, in place of a weak one of start-up code.
 * Call it after mprof_init().
 */
void mprof_systick_start(uint32_t cpu_hz, uint32_t sample_hz);

/* The entry of the exception vector; not to be called. */
void SysTick_Handler(void);

#ifdef __cplusplus
}
#endif

#endif
