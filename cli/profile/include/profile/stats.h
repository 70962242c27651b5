/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of hits and their intervals (docs/statistics.md). */
#ifndef PROFILE_STATS_H
#define PROFILE_STATS_H

#include <stdint.h>

/* A share and its 95 % interval, all from 0 to 1. */
struct stats_share {
    double value;
    double low;
    double high;
};

/* Returns hits / total with Wilson's score interval (E. B. Wilson, 1927, J. Am. Stat. Assoc. 22).
 * If total is 0, the value is 0 and the interval is 0 to 1. */
struct stats_share stats_wilson(double hits, double total);

/*
 * Returns the share of a row: hits of attributed, the sum over all rows; inherited of the hits may
 * be another row's; dropped hits are in no row. The interval also covers what the table cannot
 * know:
 *
 * - low leaves out inherited, and counts dropped as hits of other rows;
 * - high adds hits from before the row was admitted: three times inherited, but at most dropped. An
 *   address is admitted with a chance of 1 / (inherited + 1) for each hit, and waits longer than
 *   three times inherited in 5 % of cases (geometric distribution).
 */
struct stats_share stats_row_share(uint64_t hits, uint64_t inherited, uint64_t attributed,
                                   uint64_t dropped);

/* The same for counts that are complete (calls): the interval has no sampling error, and covers
 * only dropped and inherited. */
struct stats_share stats_exact_share(uint64_t hits, uint64_t inherited, uint64_t attributed,
                                     uint64_t dropped);

#endif
