/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What source of generate.py uses, and what main.c finds in it. */
#ifndef GENERATED_H
#define GENERATED_H

#include <stddef.h>
#include <stdint.h>

#define SLOTS 512U

#define APART   static __attribute__((noinline, noclone, noipa))
#define KEEP(x) __asm__ volatile("" : "+r"(x))
#define STEP(x, left, right, more) \
    do {                           \
        (x) += (x) << (left);      \
        KEEP(x);                   \
        (x) ^= (x) >> (right);     \
        KEEP(x);                   \
        (x) += (more);             \
        KEEP(x);                   \
    } while (0)

typedef uint32_t (*function_t)(uint32_t x);

/* Up to this thousandth of the run, the main loop calls functions of these slots. The last one
 * has 1000. */
struct phase {
    uint32_t permille;
    const function_t *calls; /* SLOTS of them */
};
extern const struct phase phases[];

/* An interrupt that comes once a period and calls low, several times; high is called by an
 * interrupt of higher priority that interrupts it. period_us 0: no interrupts. */
struct alarm_plan {
    uint32_t period_us;
    function_t low;
    function_t high;
};
extern const struct alarm_plan alarm_plan;

/* In this many of 256 rounds, the main loop sleeps until the next alarm. */
extern const uint32_t sleeps;

#endif
