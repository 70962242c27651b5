/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the hits of a block of code among the functions or instructions in it, by bytes. */
#ifndef PROFILE_DIVIDE_H
#define PROFILE_DIVIDE_H

#include <stdint.h>

/* Bytes of one step: a block is examined every two bytes. Only x86 has shorter instructions; there
 * a boundary of functions at an odd address is moved by one byte. */
#define DIVIDE_STEP 2

/* Returns hits * after / total, rounded, without an overflow. 0 <= after <= total, 0 < total <
 * 2^31.
 */
static inline uint64_t divide_up_to(uint64_t hits, uint64_t after, uint64_t total)
{
    return hits / total * after + (hits % total * after + total / 2) / total;
}

/* Returns the hits of a part of a block: steps of its total steps, after the first before steps.
 * Rounded so that the parts of a block add up to its hits. */
static inline uint64_t divide_portion(uint64_t hits, uint64_t before, uint64_t steps,
                                      uint64_t total)
{
    return divide_up_to(hits, before + steps, total) - divide_up_to(hits, before, total);
}

/* Returns the number of steps of the next same bytes of a block, at most those that are left after
 * its first at bytes. same > 0, at < block_size. */
static inline uint64_t divide_steps(uint64_t same, uint64_t at, uint64_t block_size)
{
    uint64_t most = (block_size - at + DIVIDE_STEP - 1) / DIVIDE_STEP;
    uint64_t steps = same / DIVIDE_STEP + (same % DIVIDE_STEP != 0);

    return steps < most ? steps : most;
}

#endif
