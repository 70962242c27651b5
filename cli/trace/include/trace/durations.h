/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations: how many, their mean, and how they are distributed. */
#ifndef TRACE_DURATIONS_H
#define TRACE_DURATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many durations are kept as they are. Of more there is a histogram, in the same memory (32
 * KiB): exact below 128 ticks; above, 64 classes of equal width from each power of two to the next.
 */
#define DURATIONS_EXACT 4096

/* Largest relative error of a quantile of a histogram: half a class. */
#define DURATIONS_ERROR (1.0 / 128)

/* Durations in ticks. Zeroed memory has none. All members may be read. */
struct durations {
    uint64_t count;
    int64_t min, max; /* meaningless if count is 0 */

    /* Relative to the first one, which keeps the deviation exact. */
    int64_t first;
    double sum, squares;

    uint64_t *cells; /* owned; durations as they came, or sorted; or the numbers of the classes */
    size_t capacity;
    bool sorted;
};

/* Frees the memory of durations, which may be none. */
void durations_free(struct durations *durations);

/* Adds a duration of 0 or more. Returns false if memory runs out. */
bool durations_add(struct durations *durations, int64_t ticks) __attribute__((warn_unused_result));

/* Whether quantiles are exact; else within DURATIONS_ERROR. min, max and mean always are exact. */
bool durations_are_exact(const struct durations *durations);

/* Return the mean, and the sample standard deviation; -1: not known of no duration, or less than
 * two. */
double durations_mean(const struct durations *durations);
double durations_deviation(const struct durations *durations);

/* Returns the shortest duration that at least a part of all do not exceed (nearest rank): 0.5 for
 * the median, which of an even number is the lower one. -1: there is none. It may sort the
 * durations. */
double durations_quantile(struct durations *durations, double part);

/* Calls use() for all durations, in ascending order, equal ones (or of a histogram: those of a
 * class, with its middle) at once. It may sort the durations. */
void durations_each(struct durations *durations,
                    void (*use)(void *context, double ticks, uint64_t count), void *context);

#endif
