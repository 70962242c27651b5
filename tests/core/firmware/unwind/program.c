/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of every kind that matters for call stacks. What each returns is of no interest. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"

#define OWN __attribute__((noinline, noclone))

volatile uint32_t sink;
static volatile uint32_t zero;

OWN uint32_t leaf(uint32_t x)
{
    return x * 2654435761u ^ x >> 7;
}

OWN uint32_t fib(uint32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

OWN uint32_t is_odd(uint32_t n);
OWN uint32_t is_even(uint32_t n)
{
    return n == 0 ? leaf(1) : is_odd(n - 1) + 1;
}
OWN uint32_t is_odd(uint32_t n)
{
    return n == 0 ? leaf(0) : is_even(n - 1) + 2;
}

/* A chain of tail calls. */
OWN uint32_t tail_last(uint32_t x)
{
    sink += x;
    return leaf(x) + 1;
}
OWN uint32_t tail_second(uint32_t x)
{
    sink += leaf(x);
    return tail_last(x + 3);
}
OWN uint32_t tail_first(uint32_t x)
{
    return tail_second(x ^ 5);
}

/* Saves registers only on the way that needs them. */
OWN uint32_t late_frame(uint32_t x)
{
    if (x & 1)
        return x + 7;
    uint32_t a = leaf(x), b = leaf(a + x), c = leaf(b ^ a);
    return a + b * c + x;
}

OWN uint32_t switched(uint32_t x)
{
    uint32_t y = x;

    switch (x % 11) {
    case 0:
        y += leaf(x);
        break;
    case 1:
        return tail_first(x);
    case 2:
        y ^= fib(3) + leaf(y);
        break;
    case 3:
        y -= 17;
        break;
    case 4:
        y = late_frame(y) * late_frame(y + 1);
        break;
    case 5:
        y = y << 3 | y >> 5;
        break;
    case 6:
        return y + 6;
    case 7:
        y += leaf(leaf(y));
        break;
    case 8:
        y *= leaf(8);
        break;
    default:
        y = ~y;
    }
    return y + leaf(y);
}

/* More than an immediate operand of sp can say. */
OWN uint32_t large_frame(uint32_t x)
{
    volatile uint32_t words[160];

    for (uint32_t i = 0; i < 160; i += 40)
        words[i] = x + i;
    return words[x % 4 * 40] + leaf(words[40]);
}

/* The stack pointer moves by what only the program knows. */
OWN uint32_t variable_frame(uint32_t x)
{
    volatile uint32_t *words = __builtin_alloca(4 * (x % 5 + 2));

    words[0] = x;
    words[1] = leaf(x);
    return words[0] + leaf(words[1]) + words[x % 2];
}

OWN uint32_t sum_of(uint32_t count, ...)
{
    uint32_t sum = 0;
    va_list args;

    va_start(args, count);
    for (uint32_t i = 0; i < count; i++)
        sum += leaf(va_arg(args, uint32_t));
    va_end(args);
    return sum;
}

/* The library's division, without debug information. */
OWN uint32_t divided(uint32_t x)
{
    uint64_t wide = (uint64_t)x << 20 | x;

    return (uint32_t)(wide / (x | 3)) + (uint32_t)(wide % (x % 1000 + 7));
}

OWN uint32_t many_values(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t f)
{
    uint32_t g = leaf(a), h = leaf(b), i = leaf(c), j = leaf(d), k = leaf(e), l = leaf(f);

    return a * g + b * h + c * i + d * j + e * k + f * l + leaf(g ^ h ^ i ^ j ^ k ^ l);
}

OWN double mean(double a, double b)
{
    double c = leaf((uint32_t)a), d = a * b;

    return (a + b + c + d) * 0.25;
}

static float scale(float a)
{
    volatile float b = a;
    float c = (float)leaf((uint32_t)a), d = (float)leaf((uint32_t)b);

    return c * a + d * b;
}

/* Never taken, and put where it does not disturb. */
OWN __attribute__((noreturn, cold)) void give_up(uint32_t x)
{
    for (;;)
        sink = leaf(x);
}

OWN uint32_t checked(uint32_t x)
{
    if (zero)
        give_up(x);
    uint32_t a = leaf(x);
    if (zero + a == 0x12345678u && x)
        give_up(a);
    return x ? a + leaf(a) : a;
}

/* Start-up code copies it into RAM. */
OWN __attribute__((section(".data.code"))) uint32_t in_ram(uint32_t x)
{
    return leaf(x) + late_frame(leaf(x + 1));
}

static uint32_t (*const volatile table[])(uint32_t) = {leaf, late_frame, switched, tail_first,
                                                       checked};

OWN uint32_t indirect(uint32_t x)
{
    return table[x % 5](x) + table[(x >> 3) % 5](x + 1);
}

OWN void round_of(uint32_t n)
{
    sink = indirect(n) + in_ram(n) + switched(n) + checked(n);
    sink += late_frame(n) + variable_frame(n) + sum_of(3, n, n + 1, n + 2);
    sink += is_even(n % 5) + tail_first(n) + fib(n % 5 + 1) + large_frame(n);
    sink += many_values(n, 2, 3, 4, 5, 6) + (uint32_t)scale((float)n);
    sink += divided(n) + (uint32_t)mean(n, 2.5);
}

void interrupted(uint32_t n)
{
    sink += leaf(n) + late_frame(n) + is_even(n % 3);
}

void go_round(void)
{
    for (uint32_t n = 0;; n++)
        round_of(n);
}
