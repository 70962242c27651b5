/* SPDX-License-Identifier: 0BSD */
/* A timer's interrupt takes 30 % of the time, tasks 45 %, and 25 % nobody needs. Nearly all of the
 * interrupt's time is in a function that a task calls, too, for 20 %: only samples that know their
 * exception tell the two apart. */
#include <mprof/mprof.h>

#include "sampling.h"
#include "work.h"

#define SAMPLE_HZ 1000U

/* A round. Time goes by the timer, so that shares are the same at any speed of the core. */
#define ROUND_CYCLES (CPU_HZ / 170U)
#define PERCENT      (ROUND_CYCLES / 100U)

/* The first CMSDK timer of the board counts down from RELOAD. Its interrupt is number 8, which is
 * exception 16 + 8. */
#define TIMER_CTRL     (*(volatile uint32_t *)0x40000000U)
#define TIMER_VALUE    (*(volatile uint32_t *)0x40000004U)
#define TIMER_RELOAD   (*(volatile uint32_t *)0x40000008U)
#define TIMER_INTCLEAR (*(volatile uint32_t *)0x4000000CU)
#define CTRL_ENABLE    0x1U
#define CTRL_IRQ       0x8U
#define TIMER_IRQ      8U
#define NVIC_ISER      (*(volatile uint32_t *)0xE000E100U)
#define NVIC_IPR       ((volatile uint8_t *)0xE000E400U)

static volatile uint32_t s_rounds;

/* Until so many percent of the round are left. */
KEEP_APART static void shared_work(uint32_t percent)
{
    while (TIMER_VALUE > percent * PERCENT)
        work(8);
}

KEEP_APART static void task_work(uint32_t percent)
{
    while (TIMER_VALUE > percent * PERCENT)
        work(8);
}

/* No wfi: a simulator that sleeps wakes late, in what should be the interrupt's time. */
KEEP_APART static void idle_task(uint32_t round)
{
    while (s_rounds == round)
        work(8);
}

void External_Handler(void);
void External_Handler(void)
{
    TIMER_INTCLEAR = 1;
    shared_work(70);
    s_rounds++;
}

static void rounds_start(void)
{
    TIMER_RELOAD = ROUND_CYCLES - 1;
    TIMER_VALUE = ROUND_CYCLES - 1;
    TIMER_CTRL = CTRL_ENABLE | CTRL_IRQ;
    NVIC_IPR[TIMER_IRQ] = 0x80; /* samples come in between */
    NVIC_ISER = 1U << TIMER_IRQ;
}

int main(void)
{
    mprof_init();
    sampling_start(SAMPLE_HZ);
    rounds_start();
    for (;;) {
        uint32_t round = s_rounds;
        shared_work(50);
        task_work(25);
        idle_task(round);
    }
}
