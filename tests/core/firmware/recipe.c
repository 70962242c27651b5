/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recipes of target-stub/README.md for a spare timer, with a flag in the timer's place: what
 * they are compiled to samples once for each interrupt, says at what rate, and gives the timer
 * periods at random; with FIXED it leaves the period alone. */
#include <mprof/isr.h>

#include "semihost.h"

struct timer {
    volatile uint32_t SR;
    volatile uint32_t ARR;
};

/* The handler that all interrupts have here. */
#ifdef __arm__
static struct timer timer;
#define TIM7            (&timer)
#define TIM7_IRQHandler External_Handler
#else
#define TIM7            ((struct timer *)0x02000000U) /* the hart's software interrupt */
#define TIM7_IRQHandler mprof_mtimer_entry
#endif

void profile_start(void);

static uint32_t shortest = UINT32_MAX, longest, sum;

#ifndef FIXED
/* Notes the period on its way to the timer. */
static uint32_t noted(uint32_t period)
{
    shortest = period < shortest ? period : shortest;
    longest = period > longest ? period : longest;
    sum += period;
    return period;
}

#define mprof_next_period() noted(mprof_next_period())
#endif
#include "recipe.h" /* which the build cuts out of the README */

#define TURNS 400

static void interrupt(void)
{
    TIM7->SR = 1;
#ifdef __arm__
    *(volatile uint32_t *)0xE000E100U = 1; /* enabled, and pending */
    *(volatile uint32_t *)0xE000E200U = 1;
    __asm__ volatile("dsb\n\tisb");
#else
    __asm__ volatile("csrs mie, %0\n\tcsrsi mstatus, 8" : : "r"(0x8));
#endif
    while (TIM7->SR) {
    }
}

int main(void)
{
    uint32_t hits = 0;

    profile_start();
    for (uint32_t i = 0; i < TURNS; i++)
        interrupt();
    for (uint32_t i = 0; i < MPROF_CNT; i++)
        hits += s_prof.items[i].hits;
    print("recipe ");
    print_number(s_prof.header.heartbeat, " ");
    print_number(hits, " ");
    print_number(s_prof.header.sample_hz, " ");
    print_number(s_prof.header.flags, " ");
    print_number(shortest, " ");
    print_number(sum / TURNS, " ");
    print_number(longest, "\n");
    quit();
}
