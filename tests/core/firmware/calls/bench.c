/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One call between marks, of an instrumented function and of the same without. */
#include "calls.h"

#include <mprof/mprof.h>

KEEP_APART UNHOOKED void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART UNHOOKED void mark_end(void)
{
    __asm__ volatile("");
}

KEEP_APART void hooked(void)
{
    __asm__ volatile("");
}

KEEP_APART UNHOOKED void plain(void)
{
    __asm__ volatile("");
}

#ifdef __riscv
/* Nothing interrupts. */
void mprof_mtimer_entry(void) __attribute__((alias("plain")));
#endif

static UNHOOKED void call(void (*function)(void), const char *what)
{
    mark_begin();
    function();
    mark_end();
    put(what);
}

#if MPROF_TRACED_CNT >= 8
/* count ranges. The function is in the last one, or behind that. */
static UNHOOKED void choose(uint32_t count, uint32_t inside)
{
    uintptr_t at = (uintptr_t)hooked & ~(uintptr_t)1;
    uintptr_t first = at - 16 * (count - inside);

    s_prof.traced[count].start = s_prof.traced[count].end = ~(uintptr_t)0;
    for (uint32_t i = 0; i < count; i++)
        s_prof.traced[i] = (mprof_range_t){first + 16 * i, first + 16 * i + 14};
    s_prof.header.traced = MPROF_TRACED_STEP;
    s_prof.header.enable &= ~MPROF_ENABLE_UNFILTERED;
}

static UNHOOKED void call_filtered(void)
{
    choose(1, 1);
    call(hooked, "in 1 range\n");
    choose(1, 0);
    call(hooked, "outside of 1 range\n");
    choose(8, 1);
    call(hooked, "in the last of 8 ranges\n");
    choose(8, 0);
    call(hooked, "behind 8 ranges\n");
    s_prof.header.enable |= MPROF_ENABLE_UNFILTERED;
}
#endif

UNHOOKED int main(void)
{
    volatile uint32_t *enable = &s_prof.header.enable;

    call(plain, "plain\n");
    call(hooked, "before mprof_init\n");
#ifdef __riscv
    __asm__ volatile(
        "csrsi mstatus, 8"); /* no interrupt comes; with them masked, -pg hooks no return */
#endif
    mprof_init();
    call(hooked, "first\n");
    call(hooked, "hit, way 1\n");
#if MPROF_TRACED_CNT >= 8
    call_filtered();
#endif
    *enable &= ~MPROF_ENABLE_CALLS;
    call(hooked, "off\n");
    quit();
}
