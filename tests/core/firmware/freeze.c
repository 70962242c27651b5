/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes calls until one of them faults. The fault's handler freezes the trace, makes more calls,
 * writes down which calls came before it, to the file "thread", and resets the core; so does main()
 * once more. What the trace says after the second reset is saved to "prof". Then calls go on. */
#include "trace.h"

#include <mprof/mprof.h>

#include "semihost.h"
#include "work.h"

static struct {
    char text[4 * FAULT_AT];
    uint32_t len;
} notes;
static uint32_t calls; /* before the one that faults; 0: none does */

#ifdef __arm__

#define AIRCR (*(volatile uint32_t *)0xE000ED0CU)

static void fault(void)
{
    __asm__ volatile("udf #0");
}

static void reset(void)
{
    AIRCR = 0x05FA0004U;
    for (;;)
        ;
}

#define HANDLER HardFault_Handler
void HANDLER(void);

void HANDLER(void)
#else

#define FINISHER (*(volatile uint32_t *)0x00100000U)

static void fault(void)
{
    __asm__ volatile("unimp");
}

static void reset(void)
{
    FINISHER = 0x7777;
    for (;;)
        ;
}

/* What start-up code puts into mtvec. */
void mprof_mtimer_entry(void);

__attribute__((aligned(4))) void mprof_mtimer_entry(void)
#endif
{
    mprof_trace_freeze();
    calls = 0;
    save("thread", notes.text, notes.len);
    first(3);
    reset();
}

void note(char name)
{
    if (calls == 0)
        return;
    notes.text[notes.len++] = name;
    if (name < 'a' && --calls == 0)
        fault();
}

int main(void)
{
    mprof_init();
    switch (s_prof.header.frozen & MPROF_FROZEN_BOOTS) {
    case 0:
        calls = FAULT_AT;
        break;
    case MPROF_FROZEN_BOOT:
        first(3);
        reset();
        break;
    default:
        first(3);
        save("prof", &s_prof, sizeof(s_prof));
        save("ready", "", 0);
    }
    for (uint32_t seed = 0;; seed++) {
        first(seed % 16);
        if (calls == 0)
            work(PAUSE);
    }
}
