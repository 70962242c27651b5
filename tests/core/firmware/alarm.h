/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An interrupt after a number of ticks, and what it needs of each core. */
#ifndef ALARM_H
#define ALARM_H

#include <stdint.h>

#include "board.h"

/* Called with the interrupted program counter; the alarm is off by then. */
void on_alarm(uintptr_t pc);

/* Under -icount shift=10 an instruction takes 1024 ns. A step is a little less, so that none is
 * left out. */
#ifdef __arm__

#define ALARM_STEP (CPU_HZ / 1250000U)

#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)
#define ICSR     (*(volatile uint32_t *)0xE000ED04U)

#define CSR_START      0x7U
#define ICSR_PENDSTCLR 0x02000000U

static inline void alarm_set(uint32_t ticks)
{
    SYST_RVR = ticks;
    SYST_CVR = 0;
    SYST_CSR = CSR_START;
}

__attribute__((used)) static void on_tick(const uint32_t *frame)
{
    SYST_CSR = 0;
    ICSR = ICSR_PENDSTCLR; /* a short delay ends again before it is stopped */
    on_alarm(frame[6]);
}

__attribute__((naked)) void SysTick_Handler(void)
{
    __asm__("mov r0, sp\n\t"
            "ldr r1, 1f\n\t"
            "bx r1\n\t"
            ".balign 4\n"
            "1: .word on_tick");
}

#else

#include "mtimer.h"

#define ALARM_STEP 8U

void mprof_mtimer_entry(void);

static inline void alarm_set(uint32_t ticks)
{
    mtimer_stop();
    __asm__ volatile("csrs mie, %0\n\tcsrsi mstatus, 8" : : "r"(0x80) : "memory");
    mtimer_start(ticks);
}

/* What start-up code puts into mtvec. */
__attribute__((interrupt("machine"), aligned(4))) void mprof_mtimer_entry(void)
{
    uintptr_t pc;

    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    mtimer_stop();
    on_alarm(pc);
}

#endif

#endif
