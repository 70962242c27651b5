/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three functions that take 50, 30 and 20 % of the time, from a start that chance decides. */
#include <mprof/mprof.h>

#include "start.h"

#define SAMPLE_HZ 1000U
/* Turns for one percent of a round. */
#define PERCENT 500U

#define KEEP_APART __attribute__((noinline, noclone, noipa))

static inline __attribute__((always_inline)) void work(uint32_t turns)
{
    __asm__ volatile("1: nop\n\t"
                     "nop\n\t"
                     "addi %0, %0, -1\n\t"
                     "bnez %0, 1b"
                     : "+r"(turns));
}

KEEP_APART static void work_a(void)
{
    work(50 * PERCENT);
}

KEEP_APART static void work_b(void)
{
    work(30 * PERCENT);
}

KEEP_APART static void work_c(void)
{
    work(20 * PERCENT);
}

/* Marsaglia's xorshift: the next number after state, which is never 0. */
static uint32_t next_random(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

int main(void)
{
    static void (*const works[])(void) = {work_a, work_b, work_c, work_a, work_b};
    uint32_t random = 2463534242U;

    mprof_init();
    sampling_start(SAMPLE_HZ);
    for (;;) {
        random = next_random(random);
        uint32_t first = (random >> 8) % 3;
        for (uint32_t i = 0; i < 3; i++)
            works[first + i]();
    }
}
