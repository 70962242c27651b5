/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function is called a known number of times. */
#include <mprof/mprof.h>

#include <stdio.h>
#include <unistd.h>

enum { CALLS = 1000 };

__attribute__((noinline)) static int called(int a)
{
    __asm__ volatile(""); /* not to be worked out beforehand */
    return a + 1;
}

/* Ends without gmon.out. */
int main(void)
{
    uint32_t hits = 0;
    int sum = 0;

    mprof_init();
    while (sum < CALLS)
        sum = called(sum);
    for (uint32_t i = 0; i < MPROF_CALL_CNT - s_prof.calls_lead.free; i++)
        hits += s_prof.calls[i].hits;
    printf("%u hits of %u events\n", (unsigned)hits, (unsigned)s_prof.header.heartbeat);
    fflush(stdout);
    _exit(hits == CALLS && s_prof.header.heartbeat == CALLS ? 0 : 1);
}
