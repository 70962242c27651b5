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
typedef struct mprof_arc64 mprof_arc_t;
typedef struct mprof_record64 mprof_record_t;
typedef struct mprof_range64 mprof_range_t;
#else
typedef struct mprof_item32 mprof_item_t;
typedef struct mprof_arc32 mprof_arc_t;
typedef struct mprof_record32 mprof_record_t;
typedef struct mprof_range32 mprof_range_t;
#endif

#define MPROF_HAS_(n) ((n) != 0)
#define MPROF_BLOCKS                                                                  \
    (MPROF_HAS_(MPROF_CNT) + MPROF_HAS_(MPROF_CALL_CNT) + MPROF_HAS_(MPROF_ARC_CNT) + \
     MPROF_HAS_(MPROF_STREAM_CNT) + MPROF_HAS_(MPROF_HIST_CNT) + MPROF_HAS_(MPROF_IGNORE_CNT))

/* Samples and calls count their events apart: the header's counters belong to the first table that
 * there is, of items, calls and arcs; the others are led by their own. */
#define MPROF_CALLS_LED ((MPROF_CNT) != 0 && (MPROF_CALL_CNT) != 0)
#define MPROF_ARCS_LED  (((MPROF_CNT) != 0 || (MPROF_CALL_CNT) != 0) && (MPROF_ARC_CNT) != 0)

/*
 * What the host reads. The firmware need not look at it; in a debugger, `p/a s_prof.items` shows
 * the rows with the names of their functions. An unused row has stamp 0 and addr 1.
 */
struct mprof_prof {
    struct mprof_header header;
    struct mprof_block blocks[MPROF_BLOCKS];
#if MPROF_CNT
    mprof_item_t items[MPROF_CNT];
#endif
#if MPROF_CALLS_LED
    struct mprof_counters calls_lead;
#endif
#if MPROF_CALL_CNT
    mprof_item_t calls[MPROF_CALL_CNT];
#endif
#if MPROF_ARCS_LED
    struct mprof_counters arcs_lead;
#endif
#if MPROF_ARC_CNT
    mprof_arc_t arcs[MPROF_ARC_CNT];
#endif
#if MPROF_STREAM_CNT
    struct mprof_stream_lead stream_lead;
    mprof_record_t stream[MPROF_STREAM_CNT];
#endif
#if MPROF_HIST_CNT
    struct mprof_histogram_lead histogram_lead;
    uint32_t histogram[MPROF_HIST_CNT];
#endif
#if MPROF_IGNORE_CNT
    __attribute__((aligned(32))) mprof_range_t ignore[MPROF_IGNORE_CNT];
#endif
} __attribute__((aligned(32)));

/* One object; with several cores, one each. */
#if MPROF_CORES > 1
extern struct mprof_prof s_prof[MPROF_CORES];
#define MPROF_PROF (&s_prof[MPROF_CORE])
#else
extern struct mprof_prof s_prof;
#define MPROF_PROF (&s_prof)
#endif

/*
 * Clears s_prof and lets events in; before it, nothing is counted. Call it once, early in main();
 * where several cores run this firmware, once on each. Calling it again starts anew: all counts 0,
 * boot one higher, and a feeder is to be started again behind it. boot counts resets too where
 * s_prof lies in RAM that start-up code leaves alone. About 7 instructions an item. Not to be
 * called from an interrupt that may have interrupted an event.
 */
void mprof_init(void);

/*
 * Counts one sample at the address pc; bit 0 of a Thumb address does no harm. May be called from
 * interrupts of any priority, nested, and from threads. Never blocks and never fails: a hit that no
 * row takes is counted as dropped, so that before a counter wraps
 *     sum of hits + dropped + ignored + sleeping + other_side == heartbeat.
 */
void mprof_sample(uintptr_t pc);

/* The same with what a stream keeps: the interrupted code's link register, and the number of the
 * exception that was interrupted (0: none), plus MPROF_STREAM_LATE for a sample that came late. */
void mprof_sample_from_isr(uintptr_t pc, uintptr_t lr, uint32_t exception);

/* Counts one call of the function that contains callee (a place near its entry), which returns to
 * caller (0: not known). What the compiler's hooks call; as mprof_sample() otherwise. */
void mprof_call(uintptr_t callee, uintptr_t caller);

/* From mprof_stop() to mprof_start(), nothing is counted: to profile one part of a program. */
void mprof_start(void);
void mprof_stop(void);

/* The program is in this phase now, a number of the firmware's own. The host may ask that only one
 * of them be counted; events in the others are counted as ignored. */
void mprof_phase(uint32_t phase);

/* From mprof_sleep_enter() to mprof_sleep_exit(), events are counted as sleeping. missed is how
 * many samples would have come while the timer was stopped (tickless idle), 0 if it was not. */
void mprof_sleep_enter(void);
void mprof_sleep_exit(uint32_t missed);

/* Spends 50, 30 and 20 % of some time in mprof_selfcheck_a(), _b() and _c(), about turns times 4000
 * instructions in all: what a profile of it should show, on any board. */
void mprof_selfcheck(uint32_t turns);

/* For a new port: tries on the core what src/port.h asks of it. Call it with interrupts enabled.
 * Returns NULL if all of it holds, else the first rule that does not, as a text. */
const char *mprof_port_check(void);

/* Prints the table, or the calls where there are no samples, most hits first, through put, for a
 * target that has a console and no host: address, hits, share. For a moment of rest: it is slow. */
void mprof_print(void (*put)(char c));

/* Timer feeders: call one of them after mprof_init(). sample_hz is the mean rate; header.sample_hz
 * says what it came to. Rates that share no factor with the firmware's own timers see more. For a
 * spare timer of the firmware's, see mprof/isr.h. */

/*
 * SysTick (Cortex-M), for firmware without an operating system: it gets the highest configurable
 * priority, so that interrupts are seen too. cpu_hz is the processor's clock. The period is a whole
 * number of cycles from 256 to 2^24, with jitter to 2/3 of that; what is out of that range gets the
 * nearest that can be had. Using this function brings in SysTick_Handler, in place of a weak one of
 * start-up code.
 */
#if !defined(__arm__)
__attribute__((error("no SysTick here: call mprof_mtimer_start() on RISC-V, mprof_timer_start() in "
                     "a process")))
#endif
void mprof_systick_start(uint32_t cpu_hz, uint32_t sample_hz);

#if defined(__arm__)
/* The entry of the exception vector; not to be called. */
void SysTick_Handler(void);
#endif

/*
 * The machine timer (RISC-V), whose mtime counts mtime_hz a second, in machine mode. Using this
 * function brings in mprof_mtimer_entry, the entry of the machine timer's interrupt: for mtvec, or
 * to be jumped to by who reads mcause. The caller sets mstatus.MIE; this function sets mie.MTIE of
 * the calling hart.
 */
#if !defined(__riscv)
__attribute__((error("no machine timer here: call mprof_systick_start() on Cortex-M, "
                     "mprof_timer_start() in a process")))
#endif
void mprof_mtimer_start(uint32_t mtime_hz, uint32_t sample_hz);

#if defined(__riscv)
/* Not to be called. */
void mprof_mtimer_entry(void);
#endif

/* A timer of the process (Linux), and SIGPROF. Its period goes by the wall clock. */
#if !defined(__linux__)
__attribute__((error("no process here: call mprof_systick_start() on Cortex-M, "
                     "mprof_mtimer_start() on RISC-V")))
#endif
void mprof_timer_start(uint32_t sample_hz);

/* A tick that is not ours feeds the stub: an operating system's or a HAL's. It has a low priority
 * and is in step with what the firmware does, so shares lie; the host says so. See mprof/isr.h. */
void mprof_tick_locked(uint32_t tick_hz);

#ifdef __cplusplus
}
#endif

#endif
