/* SPDX-License-Identifier: 0BSD */
/* A task that starts on each tick, takes 30 % of the time, and ends before the next tick: what is
 * in step with the tick never sees it. */
#include <mprof/isr.h>
#include <mprof/mprof.h>

#include "sampling.h"
#include "work.h"

#define TICK_HZ     1000U
#define TICK_CYCLES (CPU_HZ / TICK_HZ)
#define TASK_CYCLES (TICK_CYCLES * 3 / 10)

/* The first CMSDK timer of the board counts down from RELOAD. Its interrupt is number 0 + 8. */
#define TIMER_CTRL     (*(volatile uint32_t *)0x40000000U)
#define TIMER_VALUE    (*(volatile uint32_t *)0x40000004U)
#define TIMER_RELOAD   (*(volatile uint32_t *)0x40000008U)
#define TIMER_INTCLEAR (*(volatile uint32_t *)0x4000000CU)
#define CTRL_ENABLE    0x1U
#define CTRL_IRQ       0x8U
#define NVIC_ISER      (*(volatile uint32_t *)0xE000E100U)
#define TIMER_IRQ      8U

static volatile uint32_t s_ticks;

/* Time goes by the timer, so the share is the same at any speed of the core. */
KEEP_APART static void task(void)
{
    while (TIMER_VALUE > TICK_CYCLES - TASK_CYCLES)
        work(8);
}

KEEP_APART static void idle(void)
{
    work(8);
}

void tick(void);
void tick(void)
{
    TIMER_INTCLEAR = 1;
    s_ticks++;
}

static void tick_start(void)
{
    TIMER_RELOAD = TICK_CYCLES - 1;
    TIMER_VALUE = TICK_CYCLES - 1;
    TIMER_CTRL = CTRL_ENABLE | CTRL_IRQ;
    NVIC_ISER = 1U << TIMER_IRQ;
}

/* The fallback of who has no spare timer: the tick samples, and then goes on to its owner. */
#ifdef TICK_SAMPLES
MPROF_TICK_ISR(External_Handler, tick);
#else
void External_Handler(void);
void External_Handler(void)
{
    tick();
}
#endif

/* Our timer starts a moment before the tick's: if its period is fixed, it always comes when the
 * task of the tick before has ended, and that of the next one not begun. */
static void sampling(void)
{
#ifdef TICK_SAMPLES
    mprof_tick_locked(TICK_HZ);
#else
    sampling_start(TICK_HZ);
#endif
}

int main(void)
{
    uint32_t seen = 0;

    mprof_init();
    sampling();
    tick_start();
    for (;;) {
        if (s_ticks == seen) {
            idle();
        } else {
            seen = s_ticks;
            task();
        }
    }
}
