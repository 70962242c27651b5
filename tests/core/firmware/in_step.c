/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop that lasts exactly ten periods of a spare timer, which so hits the same ten places of it
 * for ever. With JITTERED, the timer gets its periods from the stub. */
#include <mprof/isr.h>

#include "board.h"
#include "work.h"

#define SAMPLE_HZ 1000U
#define PERIOD    (CPU_HZ / SAMPLE_HZ)
#define LOOP      (10U * PERIOD)

/* The first CMSDK timer of the board counts down from RELOAD, which it reads when it is at 0. */
struct timer {
    volatile uint32_t CTRL, VALUE, RELOAD, INTCLEAR;
};
#define TIMER ((struct timer *)0x40000000U)

#define CTRL_ENABLE 0x1U
#define CTRL_IRQ    0x8U
#define NVIC_ISER   (*(volatile uint32_t *)0xE000E100U)
#define TIMER_IRQ   8U

/* SysTick is the loop's clock and interrupts nobody. */
#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)

MPROF_TIMER_ISR(External_Handler)
{
    TIMER->INTCLEAR = 1;
#ifdef JITTERED
    TIMER->RELOAD = mprof_next_period() - 1;
#endif
}

static void clock_start(void)
{
    SYST_RVR = LOOP - 1;
    SYST_CVR = 0;
    SYST_CSR = 5; /* the processor's clock */
}

/* Ticks since the loop began. */
static uint32_t at(void)
{
    return LOOP - 1 - SYST_CVR;
}

static void sampling_start(void)
{
    uint32_t period = PERIOD;

    mprof_init();
#ifdef JITTERED
    period = mprof_spare_timer(CPU_HZ, SAMPLE_HZ);
#else
    s_prof.header.sample_hz = SAMPLE_HZ;
#endif
    TIMER->RELOAD = TIMER->VALUE = period - 1;
    TIMER->CTRL = CTRL_ENABLE | CTRL_IRQ;
    NVIC_ISER = 1U << TIMER_IRQ;
}

/* Samples come at 0, 1, 2 ... periods and a little more: they see 4, 0, 3 and 3 of them. */
KEEP_APART static void step_long(void) /* 35 % */
{
    while (at() < PERIOD * 35 / 10)
        work(8);
}

KEEP_APART static void step_hidden(void) /* 4 % */
{
    while (at() < PERIOD * 39 / 10)
        work(8);
}

KEEP_APART static void step_short(void) /* 22 % */
{
    while (at() < PERIOD * 61 / 10)
        work(8);
}

KEEP_APART static void step_last(void) /* 39 % */
{
    while (at() >= PERIOD * 61 / 10)
        work(8);
}

int main(void)
{
    clock_start();
    sampling_start();
    for (;;) {
        step_long();
        step_hidden();
        step_short();
        step_last();
    }
}
