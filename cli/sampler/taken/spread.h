/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of one batch are alike: how much wider that makes intervals (docs/statistics.md). */
#ifndef TAKEN_SPREAD_H
#define TAKEN_SPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums over batches. */
struct taken_spread;

/* Creates empty sums, freed by spread_free(). Returns NULL if memory runs out. */
struct taken_spread *spread_new(void);
void spread_free(struct taken_spread *spread);

/* Forgets all samples. */
void spread_clear(struct taken_spread *spread);

/* Adds a sample of the current batch, by what it is a sample of: a function's address. Returns
 * false if memory runs out. */
bool spread_add(struct taken_spread *spread, uint64_t key) __attribute__((warn_unused_result));

/* Ends the current batch. */
void spread_end_batch(struct taken_spread *spread);

/* Returns how many times larger the variance of a share is than that of as many independent
 * samples: the largest over all functions with many samples, at least 1; of few batches, as if
 * all samples of a batch were the same. */
double spread_factor(const struct taken_spread *spread);

#endif
