/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of the firmware "churn", the same on the core and in the test that knows the truth. */
#ifndef CHURN_H
#define CHURN_H

#include <mprof/mprof.h>
#include <stdint.h>

#define CHURN_SEED 2463534242U

/* So many blocks that nearly every event is one without a row. */
#define CHURN_BLOCKS 65536U

/* After so many events the table begins anew: the more hits its rows have, the more seldom they are
 * replaced. */
#define CHURN_ROUND 2048U

struct churn {
    uint32_t seed;
    uint32_t left; /* events of this round */
};

#define CHURN_START   \
    {                 \
        CHURN_SEED, 0 \
    }

/* Marsaglia's xorshift. */
static inline uint32_t churn_next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return (*seed % CHURN_BLOCKS + 1) * MPROF_ERR;
}

/* One event. */
static inline void churn_event(struct churn *churn)
{
    if (churn->left == 0) {
        mprof_init();
        churn->left = CHURN_ROUND;
    }
    churn->left--;
    mprof_sample(churn_next(&churn->seed));
}

#endif
