/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of all sizes and depths, whose instructions are counted from outside. */
#include "calls.h"

#include <mprof/mprof.h>

#ifdef __arm__
#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)

static UNHOOKED void start_clock(void)
{
    SYST_RVR = 0xffffff;
    SYST_CVR = 0;
    SYST_CSR = 5;
}
#else
#define start_clock() ((void)0)

/* Nothing interrupts. */
UNHOOKED void mprof_mtimer_entry(void)
{
}
#endif

KEEP_APART void empty(void)
{
    __asm__ volatile("");
}

KEEP_APART void spin(uint32_t turns)
{
    for (uint32_t i = 0; i < turns; i++)
        __asm__ volatile("");
}

KEEP_APART void around(uint32_t calls)
{
    for (uint32_t i = 0; i < calls; i++)
        empty();
}

KEEP_APART void chain(uint32_t depth)
{
    spin(5);
    if (depth != 0)
        chain(depth - 1);
    __asm__ volatile("");
}

KEEP_APART void jump_target(uint32_t turns)
{
    for (uint32_t i = 0; i < turns; i++)
        __asm__ volatile("");
}

KEEP_APART void jump(uint32_t turns)
{
    spin(turns);
    jump_target(turns);
}

/* Is one of a chain of jumps. */
KEEP_APART void jump_twice(uint32_t turns)
{
    spin(turns);
    jump(turns);
}

/* What it calls ends by a jump. */
KEEP_APART void above(uint32_t calls)
{
    for (uint32_t i = 0; i < calls; i++) {
        jump(3);
        jump_twice(2);
        for (int j = 0; j < 100; j++)
            __asm__ volatile("");
    }
}

KEEP_APART void all(void)
{
    spin(300);
    around(7);
    chain(6);
    __asm__ volatile("");
}

UNHOOKED int main(void)
{
    start_clock();
    mprof_init();
    for (int i = 0; i < 4; i++) {
        all();
        jump(20);
        jump_twice(10);
    }
    above(2);
    put_hex(sizeof s_prof, " ");
    put_hex((uintptr_t)&s_prof, "\n");
    mprof_trace_disable();
    for (const unsigned char *byte = (const unsigned char *)&s_prof;
         byte < (const unsigned char *)(&s_prof + 1); byte++)
        put_hex(*byte, "\n");
    quit();
}
