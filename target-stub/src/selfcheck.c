/* SPDX-License-Identifier: 0BSD */
/* Three functions that take 50, 30 and 20 % of some time: what a profile of them should show. */
#include "gate.h"

/* No two of them share a row of the table. */
#define KEEP_APART MPROF_APART __attribute__((used, no_instrument_function, aligned(64)))

/* 4 instructions a turn, and the same ones in each function. */
static inline __attribute__((always_inline, no_instrument_function)) void work(uint32_t turns)
{
#if defined(__thumb__)
    __asm__ volatile(".syntax unified\n"
                     "1: nop\n\t"
                     "nop\n\t"
                     "subs %0, #1\n\t"
                     "bne 1b"
                     : "+l"(turns)
                     :
                     : "cc");
#elif defined(__riscv)
    __asm__ volatile("1: nop\n\t"
                     "nop\n\t"
                     "addi %0, %0, -1\n\t"
                     "bnez %0, 1b"
                     : "+r"(turns));
#else
    /* Each turn waits for the store of the one before, so that it takes the same time everywhere.
     */
    for (volatile uint32_t left = turns; left > 0;)
        left = left - 1;
#endif
}

KEEP_APART void mprof_selfcheck_a(uint32_t turns);
KEEP_APART void mprof_selfcheck_b(uint32_t turns);
KEEP_APART void mprof_selfcheck_c(uint32_t turns);

MPROF_UNHOOKED void mprof_selfcheck_a(uint32_t turns)
{
    work(turns);
}

MPROF_UNHOOKED void mprof_selfcheck_b(uint32_t turns)
{
    work(turns);
}

MPROF_UNHOOKED void mprof_selfcheck_c(uint32_t turns)
{
    work(turns);
}

/* In short pieces, so that the shares are right at any moment. */
MPROF_UNHOOKED void mprof_selfcheck(uint32_t turns)
{
    for (; turns > 0; turns--) {
        mprof_selfcheck_a(500);
        mprof_selfcheck_b(300);
        mprof_selfcheck_c(200);
    }
}
