/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function of which the compiler puts a part elsewhere, and inlined ones in both parts. */
#define INLINE static inline __attribute__((always_inline))

volatile int cold_object[8];

__attribute__((noinline, cold)) void cold_report(int x);
int cold_user(int x);
int _start(int x);

__attribute__((noinline, cold)) void cold_report(int x)
{
    cold_object[0] = x;
}

INLINE int cold_inner(int x)
{
    cold_object[1] = x;
    cold_object[2] += x * 3;
    return cold_object[3];
}

INLINE int cold_outer(int x)
{
    int sum = cold_inner(x) + 1;

    cold_report(sum);
    return sum;
}

__attribute__((noinline)) int cold_user(int x)
{
    int sum = cold_inner(x);

    if (sum & 1)
        sum += cold_outer(sum);
    return sum;
}

int _start(int x)
{
    return cold_user(x);
}
