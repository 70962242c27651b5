/* SPDX-License-Identifier: 0BSD */
/* Interrupt entries that take a sample: for a spare timer of the firmware's, or a tick that it has.
 */
#ifndef MPROF_ISR_H
#define MPROF_ISR_H

#include <mprof/mprof.h>

/* Vector tables and assembly know these entries by their C names. */
#ifdef __cplusplus
#define MPROF_C_ extern "C"
#else
#define MPROF_C_
#endif

/*
 * The best feeder is a spare timer whose interrupt has a priority above all others, those that an
 * operating system masks among them, at a rate that shares no factor with the tick:
 *
 *   MPROF_TIMER_ISR(TIM7_IRQHandler)
 *   {
 *       TIM7->SR = 0;
 *   }
 *
 * runs the block, which clears the timer's flag early enough that the interrupt does not come
 * twice, and then samples. Nothing of the operating system's may be called there. After
 * mprof_init(), the firmware writes the timer's rate, interrupts a second, to
 * MPROF_PROF->header.sample_hz: nobody else knows it.
 *
 * Where there is none, the tick of an operating system or a HAL is the fallback. The vector table
 * gets this entry, which samples and then goes on to the owner's handler:
 *
 *   MPROF_TICK_ISR(SysTick_Handler, xPortSysTickHandler)
 *
 * and the firmware calls mprof_tick_locked(tick_hz) after mprof_init(), so that the host can say
 * that shares lie: interrupts are missing, and what begins with the tick and ends before the next.
 */

#if defined(__arm__)

/* What these entries call: frame is what the core stacked, exc_return what lr was. */
MPROF_C_ void mprof_isr_sample(const uint32_t *frame, uint32_t exc_return);

#define MPROF_ISR_BODY_(name) name##_body

/* frame and EXC_RETURN are kept over the block. A write that is still under way to the timer would
 * leave its interrupt pending at the return: dsb. */
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

/* Bit 2 of EXC_RETURN tells the stack of the interrupted code. */
#define MPROF_ISR_FRAME_   \
    ".syntax unified\n\t"  \
    "mov r1, lr\n\t"       \
    "mrs r0, msp\n\t"      \
    "lsls r2, r1, #29\n\t" \
    "bpl 1f\n\t"           \
    "mrs r0, psp\n"        \
    "1:\n\t"

#elif defined(__riscv)

/* For an entry of a vector table, or mtvec itself, in machine mode. The block must not use floating
 * point registers. An operating system's trap handler calls mprof_sample_from_isr(mepc, ra, 0) for
 * its tick instead of MPROF_TICK_ISR. */
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

/* The trap handler has registers to save that no entry knows of. */
#define MPROF_TICK_ISR(name, owner)                                                  \
    MPROF_STATIC_ASSERT(0, "no MPROF_TICK_ISR on RISC-V: in the trap handler, call " \
                           "mprof_sample_from_isr(mepc, ra, 0) for the tick")

#else
#error "mprof/isr.h is for Cortex-M and RISC-V: call mprof_timer_start() in a process"
#endif

#endif
