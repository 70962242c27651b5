/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Firmware that does nothing but present addresses that have no row: rows are replaced all the
 * time.
 */
#include <mprof/mprof.h>

#include "churn.h"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)

#define TICKS_PER_EVENT 100000U /* 250 Hz */

/* Written by the test: one event in four milliseconds, not as many as the core can. */
volatile uint32_t churn_slow;

static volatile uint32_t ticks;

void SysTick_Handler(void)
{
    ticks++;
}

int main(void)
{
    struct churn churn = CHURN_START;
    uint32_t taken = 0;

    SYST_RVR = TICKS_PER_EVENT - 1;
    SYST_CVR = 0;
    SYST_CSR = 7;
    for (;;) {
        while (churn_slow && ticks == taken)
            __asm__ volatile("wfi");
        taken = ticks;
        churn_event(&churn);
    }
}
