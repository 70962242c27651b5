/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program on the process stack, as under an operating system: its samples lie there. */
#include <mprof/mprof.h>

static uint32_t stack[256] __attribute__((aligned(8)));

/* Whole blocks of 16 bytes, shared with nobody. */
static __attribute__((noinline, noreturn, aligned(16))) void spin(void)
{
    for (;;)
        __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop");
}

int main(void)
{
    mprof_init();
    mprof_systick_start(25000000, 1000);
    __asm__ volatile("msr psp, %0\n\t"
                     "msr control, %1\n\t"
                     "isb"
                     :
                     : "r"(stack + sizeof(stack) / sizeof(stack[0])), "r"(2)
                     : "memory");
    spin();
}
