/* SPDX-License-Identifier: 0BSD */
/* The source of calls of gcc -pg on RISC-V. */
#include "hook.h"

#if MPROF_COUNTS_CALLS

void _mcount(void);

MPROF_HOOK static void count_call(uintptr_t callee, uintptr_t caller)
{
    mprof_hook(callee, caller);
}

/* An ordinary call to the compiler, which saves arguments and the static chain around it, and gives
 * the caller. What it returns to is a place in the called function. In C, gcc would make a stack
 * frame for that. */
MPROF_HOOK __attribute__((naked)) void _mcount(void)
{
    __asm__("mv a1, a0\n\t"
            "mv a0, ra\n\t"
            "tail %0"
            :
            : "i"(count_call));
}

#endif
