/* SPDX-License-Identifier: 0BSD */
/* A piece of work whose cost is known. */
#ifndef WORK_H
#define WORK_H

#include <stdint.h>

#define CPU_HZ 25000000U

/* Leaves a function where it is, whatever the optimiser knows about it. */
#define KEEP_APART __attribute__((noinline, noclone, noipa))

/* 4 instructions a turn, and nothing else. turns is 1 at least. */
static inline __attribute__((always_inline)) void work(uint32_t turns)
{
    __asm__ volatile("1: nop\n\t"
                     "nop\n\t"
                     "subs %0, #1\n\t"
                     "bne 1b"
                     : "+l"(turns)
                     :
                     : "cc");
}

/* Marsaglia's xorshift: the next number after state, which is never 0. */
static inline uint32_t next_random(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

#endif
