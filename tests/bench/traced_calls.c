/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls a small function again and again, and prints the nanoseconds of one call, the best of some
 * rounds. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 10

static volatile int sink;

__attribute__((noinline)) static int leaf(int a)
{
    __asm__ volatile("" : "+r"(a));
    return a + 1;
}

__attribute__((no_instrument_function)) static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    int calls = argc > 1 ? atoi(argv[1]) : 1000000;
    double best = 0;

    for (int round = 0; round < ROUNDS; round++) {
        double begin = now_ns();
        for (int i = 0; i < calls; i++)
            sink = leaf(i);
        double ns = (now_ns() - begin) / calls;
        best = round == 0 || ns < best ? ns : best;
    }
    printf("%.3f\n", best);
    return 0;
}
