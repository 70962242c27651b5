/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of counted hits. */
#ifndef PROFILE_STATS_H
#define PROFILE_STATS_H

#include <stdint.h>

/* A share with its 95 % interval, each from 0 to 1. */
struct stats_share {
    double value;
    double low;
    double high;
};

/*
 * Wilson's score interval at 95 % for hits out of total (E. B. Wilson, 1927, J. Am. Stat. Assoc.
 * 22). total 0 gives value 0 and the interval from 0 to 1.
 */
struct stats_share stats_wilson(double hits, double total);

/*
 * The share of a row, hits of attributed ones, and an interval that also covers what the table
 * cannot know: hits taken over at admission may be another row's (low counts without them, and over
 * the dropped ones too), and as many hits again as three times that number may have come before the
 * admission (the wait for an admission that succeeds once in inherited + 1 tries is geometric, and
 * longer than that in 5 % of cases), but never more than were dropped.
 */
struct stats_share stats_row_share(uint64_t hits, uint64_t inherited, uint64_t attributed,
                                   uint64_t dropped);

/* The same for counts that are no sample of anything (calls): no sampling error, only what was
 * dropped or inherited. */
struct stats_share stats_exact_share(uint64_t hits, uint64_t inherited, uint64_t attributed,
                                     uint64_t dropped);

#endif
