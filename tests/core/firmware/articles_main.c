/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Firmware with the articles' tables: three functions that take 50, 30 and 20 % of the time and are
 * called 1, 2 and 4 times a round. */
#include "articles.h"
#include "work.h"

#define SYST_CSR (*(volatile uint32_t *)0xe000e010U)
#define SYST_RVR (*(volatile uint32_t *)0xe000e014U)

/* 1009 Hz: no round is a whole number of its periods. */
#define PERIOD (CPU_HZ / 1009U)

#define PERCENT 500U

#define UNSEEN __attribute__((no_instrument_function, used))

void SysTick_Handler(void);
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);
UNSEEN void articles_tick(const uint32_t *frame);

KEEP_APART __attribute__((aligned(32))) static void work_a(void)
{
    work(50 * PERCENT);
}

KEEP_APART __attribute__((aligned(32))) static void work_b(void)
{
    work(15 * PERCENT);
}

KEEP_APART __attribute__((aligned(32))) static void work_c(void)
{
    work(5 * PERCENT);
}

UNSEEN void __cyg_profile_func_enter(void *function, void *site)
{
    articles_call(function);
    articles_trace((uintptr_t)site, (uintptr_t)function);
}

UNSEEN void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function, (void)site;
}

/* Of the frame that the exception has pushed, the seventh word is the interrupted address. */
UNSEEN void articles_tick(const uint32_t *frame)
{
    articles_sample(frame[6]);
}

UNSEEN __attribute__((naked)) void SysTick_Handler(void)
{
    __asm__ volatile("mov r0, sp\n\t"
                     "b articles_tick");
}

UNSEEN int main(void)
{
    SYST_RVR = PERIOD - 1;
    SYST_CSR = 7;
    for (;;) {
        work_a();
        for (unsigned i = 0; i < 2; i++)
            work_b();
        for (unsigned i = 0; i < 4; i++)
            work_c();
    }
}
