/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code whose coverage is recorded: some of it is never reached, and some of it is only reached
 * before mprof_init() or in an interrupt. */
#include "coverage.h"

volatile uint32_t sink;

__attribute__((noinline)) void empty(void)
{
}

__attribute__((noinline)) void before_init(void)
{
    sink += 1;
}

__attribute__((noinline)) uint32_t collatz(uint32_t n)
{
    uint32_t steps = 0;

    while (n != 1) {
        if (n % 2 == 0)
            n /= 2;
        else
            n = 3 * n + 1;
        steps++;
    }
    return steps;
}

__attribute__((noinline)) uint32_t classify(uint32_t n)
{
    switch (n % 8) {
    case 0:
        return 3;
    case 1:
        sink += n;
        break;
    case 2:
    case 3:
        return collatz(n);
    case 4:
        for (uint32_t i = 0; i < n; i++)
            sink ^= i;
        break;
    case 9: /* never */
        sink += 9;
        break;
    default:
        if (n > 1000000) {
            sink = 0; /* never */
            return 0;
        }
        sink += 5;
        break;
    }
    return sink;
}

__attribute__((noinline)) uint32_t never(uint32_t n)
{
    if (n > 3)
        return collatz(n);
    return n;
}

__attribute__((noinline)) void in_interrupt(uint32_t n)
{
    if (n % 3 == 0)
        sink += n;
    else if (n % 3 == 1)
        empty();
    if (n > 1000000)
        sink = n; /* never */
}

__attribute__((noinline)) void work(uint32_t n)
{
    empty();
    for (uint32_t i = 1; i <= n; i++)
        sink += classify(i);
    if (sink == 12345 && n == 0)
        never(n);
}
