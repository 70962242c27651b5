/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function whose hottest instructions share their blocks of code with cold ones, and one that is
 * larger than the focus. */
#include <mprof/mprof.h>

#include "work.h"

#define SAMPLE_HZ 10000U

/* Three instructions with 20 times the hits of the others. */
#define LOOP(turns)          \
    "movs r1, #" #turns "\n" \
    "1: nop\n\t"             \
    "subs r1, #1\n\t"        \
    "bne 1b\n\t"

KEEP_APART __attribute__((aligned(16))) static void hot(void)
{
    __asm__ volatile(".rept 5\n\tnop\n\t.endr\n\t" LOOP(20) ".rept 4\n\tnop\n\t.endr"
                     :
                     :
                     : "r1", "cc");
}

/* The halves of its time are in its first and its last part. */
KEEP_APART __attribute__((aligned(16))) static void large(void)
{
    __asm__ volatile(".rept 3\n\tnop\n\t.endr\n\t" LOOP(20) ".rept 140\n\tnop\n\t.endr\n\t" LOOP(40)
                     :
                     :
                     : "r1", "cc");
}

int main(void)
{
    mprof_init();
    mprof_systick_start(CPU_HZ, SAMPLE_HZ);
    for (;;) {
        for (int i = 0; i < 8; i++)
            hot();
        large();
    }
}
