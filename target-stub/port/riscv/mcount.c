/* SPDX-License-Identifier: 0BSD */
/* The source of calls of gcc -pg on RISC-V. */
#include "hook.h"

#if MPROF_COUNTS_CALLS

void _mcount(void);

#if !MPROF_PG_RETURNS

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

#else

#if __riscv_xlen == 64
#define WORD "8"
#else
#define WORD "4"
#endif

#if MPROF_CORES > 1
#define TEST
#else
#define TEST                                                                                  \
    "lw t1, s_prof + " MPROF_TEXT_OF(MPROF_HOOK_OFFSET) "\n\t"                                \
                                                        "andi t1, t1, 1<<" MPROF_TEXT_OF(     \
                                                            MPROF_HOOK_BIT) "\n\t"            \
                                                                            "bnez t1, 1f\n\t" \
                                                                            "ret\n"           \
                                                                            "1: "
#endif

/* The same. With a frame pointer, the return address was saved right below where that points. */
MPROF_HOOK __attribute__((naked)) void _mcount(void)
{
    __asm__(TEST "mv a1, a0\n\t"
                 "mv a0, ra\n\t"
                 "addi a2, s0, -" WORD "\n\t"
                 "mv a3, sp\n\t"
                 "tail mprof_entered_behind");
}

#endif
#endif
