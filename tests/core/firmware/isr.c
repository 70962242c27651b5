/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entries of mprof/isr.h, for a timer of the firmware's and for a tick that has an owner. */
#include <mprof/isr.h>

#include "board.h"
#include "semihost.h"
#include "work.h"

static volatile uint32_t ticks;

static void next_tick(void)
{
    ticks++;
#ifdef __riscv
    *(volatile uint32_t *)0x02004000U += 10000;
#endif
}

#ifdef ISR_TICK
void owner_of_tick(void);

void owner_of_tick(void)
{
    next_tick();
}

MPROF_TICK_ISR(SysTick_Handler, owner_of_tick);
#elif defined(__arm__)
MPROF_TIMER_ISR(SysTick_Handler)
{
    next_tick();
}
#else
MPROF_TIMER_ISR(mprof_mtimer_entry)
{
    next_tick();
}
#endif

static void start(void)
{
#ifdef __arm__
    *(volatile uint32_t *)0xE000E014U = CPU_HZ / 1000 - 1;
    *(volatile uint32_t *)0xE000E018U = 0;
    *(volatile uint32_t *)0xE000E010U = 7;
#else
    *(volatile uint32_t *)0x02004000U = *(volatile uint32_t *)0x0200bff8U + 10000;
    *(volatile uint32_t *)0x02004004U = 0;
    __asm__ volatile("csrs mie, %0\n\tcsrsi mstatus, 8" : : "r"(0x80));
#endif
}

/* Blocks of 16 bytes that no other function shares. */
KEEP_APART __attribute__((aligned(64))) static void spin(void)
{
    work(1000);
}

static uint32_t hits_in_spin(void)
{
    uint32_t hits = 0;
    uintptr_t begin = (uintptr_t)spin & ~(uintptr_t)1;

    for (uint32_t i = 0; i < MPROF_CNT; i++) {
        if (!(s_prof.items[i].addr & 1) && s_prof.items[i].addr - begin < 64)
            hits += s_prof.items[i].hits;
    }
    return hits;
}

int main(void)
{
    mprof_init();
    mprof_tick_locked(1000);
    start();
    while (ticks < 200)
        spin();
    print("isr ");
    print_number(s_prof.header.heartbeat == ticks, " ");
    print_number(s_prof.header.flags, " ");
    print_number(hits_in_spin(), "\n");
    quit();
}
