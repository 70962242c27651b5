/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions whose arguments a trace records. */
#include "trace_words.h"

#include "work.h"

/* The values depend on the arguments as the hook leaves them. */
KEEP_APART uint32_t with_four(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    __asm__ volatile("" : : : "memory");
    return a + 3 * b + 5 * c + 7 * d;
}

/* On Arm the structure begins in r2, and its last member is on the stack. */
KEEP_APART uint32_t with_structure(uint32_t a, uint32_t b, struct parts c)
{
    __asm__ volatile("" : : : "memory");
    return a + b + c.x + (uint32_t)c.y + c.z + (uint32_t)c.last;
}

KEEP_APART uint32_t with_one(uint32_t a)
{
    __asm__ volatile("" : : : "memory");
    return ~a;
}

KEEP_APART uint32_t in_interrupt(uint32_t a, uint32_t b)
{
    __asm__ volatile("" : : : "memory");
    return a - b;
}
