/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the hits of a block are divided between what stands in it. */
#ifndef PROFILE_DIVIDE_H
#define PROFILE_DIVIDE_H

#include <stdint.h>

/* A block is looked at every two bytes: no core that we name has shorter instructions but x86,
 * where a boundary between functions at an odd address moves one byte in sixteen. */
#define DIVIDE_STEP 2

/* hits times after over total, rounded; total > 0 and after <= total are below 2^31. */
static inline uint64_t divide_up_to(uint64_t hits, uint64_t after, uint64_t total)
{
    return hits / total * after + (hits % total * after + total / 2) / total;
}

/* The part of a block's hits that steps of its total steps have, which come after the first ones
 * (before), rounded so that all parts add up: what is given to all parts up to one is the rounded
 * part of their sum. */
static inline uint64_t divide_portion(uint64_t hits, uint64_t before, uint64_t steps,
                                      uint64_t total)
{
    return divide_up_to(hits, before + steps, total) - divide_up_to(hits, before, total);
}

/* How many steps the next bytes with one answer make, of those that are left of a block behind the
 * first at bytes; same > 0, at < block size. */
static inline uint64_t divide_steps(uint64_t same, uint64_t at, uint64_t block_size)
{
    uint64_t most = (block_size - at + DIVIDE_STEP - 1) / DIVIDE_STEP;
    uint64_t steps = same / DIVIDE_STEP + (same % DIVIDE_STEP != 0);

    return steps < most ? steps : most;
}

#endif
