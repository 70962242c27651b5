/* SPDX-License-Identifier: 0BSD */
/* In a loop, main calls f1, which calls f2, which calls f3. Nothing here knows of the trace: the
 * compiler calls the stub at each function's entry. Rounds: the argument, or for ever. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <time.h>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif

static volatile int result;

APART static int f3(int a, int b, int c)
{
    return result = a + b + c;
}

APART static int f2(int a, int b)
{
    return f3(a, b, 3) + result;
}

APART static int f1(int a)
{
    return f2(a, 2) + result;
}

int main(int argc, char **argv)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    long rounds = argc > 1 ? atol(argv[1]) : -1;

    for (long i = 0; i != rounds; i++) {
        f1(1);
        nanosleep(&pause, NULL);
    }
    return 0;
}
