/* SPDX-License-Identifier: 0BSD */
/* Macros that define an interrupt handler that takes samples: for a spare timer, or for a tick. */
#ifndef MPROF_ISR_H
#define MPROF_ISR_H

#include <mprof/mprof.h>

/* Vector tables refer to handlers by their C names, also if a C++ file defines them. */
#ifdef __cplusplus
#define MPROF_C_ extern "C"
#else
#define MPROF_C_
#endif

/*
 * The best source of samples is a spare timer whose period varies at random. Its interrupt must
 * have a priority above all others, also above those that an operating system masks.
 * MPROF_TIMER_ISR(name) defines the handler:
 *
 *   MPROF_TIMER_ISR(TIM7_IRQHandler)
 *   {
 *       TIM7->SR = 0;
 *       TIM7->ARR = mprof_next_period() - 1;
 *   }
 *
 * name is the name in the vector table, a function with C linkage. The block runs first: it must
 * clear the timer's interrupt flag, and must not call the operating system or the HAL. Then the
 * handler takes the sample. The firmware configures and starts the timer, after mprof_init() and
 * mprof_spare_timer(tick_hz, sample_hz), which returns the first period.
 *
 * If the period cannot be changed while the timer runs, leave out both functions and write the
 * rate, interrupts a second, to MPROF_PROF->header.sample_hz; without it mprof shows shares but no
 * CPU time. Code in step with a fixed period is sampled too often or too rarely, by any amount, so
 * mprof says that the period is fixed and prints no intervals. A rate that shares no factor with
 * the firmware's own timers helps.
 *
 * Without a spare timer, use the tick of an operating system or a HAL. MPROF_TICK_ISR(name, owner)
 * defines a handler that takes a sample and then jumps to owner, the handler of the tick, which
 * finds the stack, lr and r4 to r11 as the interrupt left them:
 *
 *   MPROF_TICK_ISR(SysTick_Handler, xPortSysTickHandler);
 *
 * The firmware then calls mprof_tick_locked(tick_hz) after mprof_init(). Interrupts do not show in
 * such a profile, and code that starts with the tick and ends before the next one reads 0 %.
 */

#if defined(__arm__)

/* Takes a sample for the handlers below. frame is the exception frame on the stack of the
 * interrupted code, 8 words or more; exc_return is the value of lr at the handler's entry (ARMv7-M
 * Architecture Reference Manual, B1.5.6 and B1.5.8). */
MPROF_C_ void mprof_isr_sample(const uint32_t *frame, uint32_t exc_return);

#define MPROF_ISR_BODY_(name) name##_body

/* Keeps frame and EXC_RETURN while the block runs. The dsb waits for the block's write to the
 * timer: without it the interrupt may still be pending at the return, and is taken twice. */
#define MPROF_TIMER_ISR(name)                                      \
    __attribute__((used)) static void MPROF_ISR_BODY_(name)(void); \
    MPROF_C_ void name(void);                                      \
    __attribute__((naked, no_instrument_function)) void name(void) \
    {                                                              \
        __asm__(MPROF_ISR_FRAME_ "push {r0, r1, r3, lr}\n\t"       \
                                 "bl %c0\n\t"                      \
                                 "pop {r0, r1}\n\t"                \
                                 "bl mprof_isr_sample\n\t"         \
                                 "dsb\n\t"                         \
                                 "pop {r3, pc}"                    \
                :                                                  \
                : "i"(MPROF_ISR_BODY_(name)));                     \
    }                                                              \
    __attribute__((used)) static void MPROF_ISR_BODY_(name)(void)

/* Samples, restores EXC_RETURN in lr, and jumps to owner. */
#define MPROF_TICK_ISR(name, owner)                                \
    MPROF_C_ void name(void);                                      \
    MPROF_C_ void owner(void);                                     \
    __attribute__((naked, no_instrument_function)) void name(void) \
    {                                                              \
        __asm__(MPROF_ISR_FRAME_ "push {r3, lr}\n\t"               \
                                 "bl mprof_isr_sample\n\t"         \
                                 "pop {r2, r3}\n\t"                \
                                 "mov lr, r3\n\t"                  \
                                 "ldr r3, 2f\n\t"                  \
                                 "bx r3\n\t"                       \
                                 ".balign 4\n"                     \
                                 "2: .word %c0"                    \
                :                                                  \
                : "i"(owner));                                     \
    }                                                              \
    struct mprof_needs_a_semicolon

/* Leaves the frame in r0 and EXC_RETURN in r1. Bit 2 of EXC_RETURN says which stack the interrupted
 * code used: 0 is the main stack, 1 the process stack. */
#define MPROF_ISR_FRAME_   \
    ".syntax unified\n\t"  \
    "mov r1, lr\n\t"       \
    "mrs r0, msp\n\t"      \
    "lsls r2, r1, #29\n\t" \
    "bpl 1f\n\t"           \
    "mrs r0, psp\n"        \
    "1:\n\t"

#elif defined(__riscv)

/* Defines a handler in machine mode, aligned to 4 bytes, for an entry of a vector table or for
 * mtvec itself. The block must not use floating point registers. The link register of the
 * interrupted code is not known to it, so a stream keeps 0. */
#define MPROF_TIMER_ISR(name)                                                                 \
    MPROF_C_ void name(void);                                                                 \
    __attribute__((used)) static void name##_body(void);                                      \
    __attribute__((interrupt("machine"), aligned(4), no_instrument_function)) void name(void) \
    {                                                                                         \
        uintptr_t mprof_pc_;                                                                  \
        __asm__ volatile("csrr %0, mepc" : "=r"(mprof_pc_));                                  \
        name##_body();                                                                        \
        mprof_sample_from_isr(mprof_pc_, 0, 0);                                               \
    }                                                                                         \
    static void name##_body(void)

/* Not available: only the trap handler of the operating system knows which registers it saves. Let
 * it call mprof_sample_from_isr(mepc, ra, 0) for its tick. */
#define MPROF_TICK_ISR(name, owner)                                                  \
    MPROF_STATIC_ASSERT(0, "no MPROF_TICK_ISR on RISC-V: in the trap handler, call " \
                           "mprof_sample_from_isr(mepc, ra, 0) for the tick")

#else
#error "mprof/isr.h is for Cortex-M and RISC-V: call mprof_timer_start() in a process"
#endif

#endif
