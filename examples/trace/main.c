/* SPDX-License-Identifier: 0BSD */
/* In a loop, main calls f1, which calls f2, which calls f3, and marks each round. But for that,
 * nothing here knows of the trace: the compiler calls the stub at each function's entry. */
#include <mprof/mprof.h>

#include "work.h"
#if defined(TICK)
#include "board.h"
#endif

/* A few milliseconds between two rounds. */
#define PAUSE 20000U

static volatile int result;

KEEP_APART static int f3(int a, int b, int c)
{
    return result = a + b + c;
}

KEEP_APART static int f2(int a, int b)
{
    return f3(a, b, 3) + result;
}

KEEP_APART static int f1(int a)
{
    return f2(a, 2) + result;
}

int main(void)
{
    mprof_init();
#if defined(TICK) /* the time of the trace is SysTick's */
    mprof_systick_start(CPU_HZ, CPU_HZ / 100000);
#endif
    for (uint32_t round = 0;; round++) {
        mprof_mark(1, round);
        f1(1);
        work(PAUSE);
    }
}
