/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers of simulations: the same state gives the same ones. */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include <math.h>
#include <stdint.h>

/* Steele, Lea and Flood's SplitMix64. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline double random_uniform(uint64_t *state)
{
    return ((double)(random_next(state) >> 11) + 0.5) * 0x1p-53;
}

static inline double random_normal(uint64_t *state)
{
    double size = sqrt(-2 * log(random_uniform(state)));

    return size * cos(6.283185307179586 * random_uniform(state));
}

#endif
