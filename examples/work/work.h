/* SPDX-License-Identifier: 0BSD */
/* A piece of work whose cost is known. */
#ifndef WORK_H
#define WORK_H

#include <stdint.h>

#include "board.h"

/* Leaves a function where it is, whatever the optimiser knows about it. */
#ifdef __clang__
#define KEEP_APART __attribute__((noinline))
#else
#define KEEP_APART __attribute__((noinline, noclone, noipa))
#endif

/* 4 instructions a turn, and nothing else. turns is 1 at least. */
static inline __attribute__((always_inline)) void work(uint32_t turns)
{
#if defined(__thumb__)
    __asm__ volatile("1: nop\n\t"
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
#elif defined(__x86_64__)
    /* Each multiplication waits for the one before it: so a turn takes the same time wherever it
     * stands. */
    uint32_t product = turns;

    __asm__ volatile("1: imul %1, %1\n\t"
                     "imul %1, %1\n\t"
                     "dec %0\n\t"
                     "jne 1b"
                     : "+r"(turns), "+r"(product)
                     :
                     : "cc");
#else
#error "which 4 instructions are a turn of work on this core?"
#endif
}

/* Marsaglia's xorshift: the next number after state, which is never 0. */
static inline uint32_t next_random(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

#endif
