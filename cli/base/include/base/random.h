/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that look random, for pauses that meet no period of a target. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/* Returns a number from 0 to 1, and steps the state, which must not be 0 (G. Marsaglia, 2003,
 * "Xorshift RNGs"). */
static inline double random_part(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state / 4294967296.0;
}

#endif
