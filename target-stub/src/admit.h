/* SPDX-License-Identifier: 0BSD */
/* What all tables of rows do alike. */
#ifndef MPROF_ADMIT_H
#define MPROF_ADMIT_H

#include "gate.h"
#include "table.h"

/* 32 bits by chance, for the event of that number: no state that interrupts could spoil. */
#ifndef MPROF_RANDOM
#define MPROF_RANDOM(beat) mprof_mixed(beat)
#endif

MPROF_INLINE uint32_t mprof_mixed(uint32_t number)
{
    uint32_t factor = 0x9E3779B1U;

    __asm__("" : "+r"(factor));
    number *= factor;
    number ^= number >> 15;
    return number * factor;
}

/* True once in hits + 1 times. */
MPROF_INLINE int mprof_admitted(uint32_t beat, uint32_t hits)
{
    uint32_t random = MPROF_RANDOM(beat);

#if defined(__thumb__) && !defined(__thumb2__)
    /* No product of 64 bits here. Its upper half is 0 if the product of the upper halves is, and
     * what the lower ones carry over. */
    uint32_t high = random >> 16;
    uint32_t parts = hits + 1;

    if (MPROF_SMALL) /* never with more than 65535 hits, whose chance is that of one event in a
                        minute */
        return parts >> 16 == 0 && high * parts >> 16 == 0;
    if (parts >> 16 != 0)
        return high == 0 && (random * (parts >> 16)) >> 16 == 0;
    return (high * parts + ((random & 0xffffU) * parts >> 16)) >> 16 == 0;
#else
    return ((uint64_t)random * (hits + 1)) >> 32 == 0;
#endif
}

#endif
