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

UNHOOKED int main(void)
{
    volatile uint32_t *enable = &s_prof.header.enable;

    call(plain, "plain\n");
    call(hooked, "before mprof_init\n");
    mprof_init();
    call(hooked, "first\n");
    call(hooked, "hit, way 1\n");
    *enable &= ~MPROF_ENABLE_CALLS;
    call(hooked, "off\n");
    quit();
}
