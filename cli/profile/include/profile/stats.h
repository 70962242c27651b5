/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of hits and their intervals (docs/statistics.md). */
#ifndef PROFILE_STATS_H
#define PROFILE_STATS_H

#include <stdbool.h>
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

/* Returns an end of that interval, which is sign of the share (-1: low, 1: high), at z standard
 * errors. unit is one hit's part of the total, times the variance over that of counting. */
double stats_wilson_end(double share, double unit, double z, int sign);

/* Returns how many hits a row may have lost before it was admitted: three times inherited, but at
 * most dropped. An address is admitted with a chance of 1 / (inherited + 1) for each hit, and waits
 * longer than three times inherited in 5 % of cases (geometric distribution). */
double stats_waited(uint64_t inherited, uint64_t dropped);

/* Lost hits that a row, line, function or file may have. */
struct stats_unseen {
    uint64_t least; /* they can only be its own */
    uint64_t most;  /* no more than these can be its own */
    double likely;  /* its probable part, from least to most */
};

/* What a share is a part of. */
struct stats_whole {
    uint64_t attributed;          /* hits that have a row */
    uint64_t dropped;             /* hits that were lost */
    struct stats_unseen left_out; /* of the lost hits, those of code that the ranking leaves out */
    bool located;  /* lost hits are known by region of code: see struct stats_unseen */
    bool decays;   /* hits that faded are among the lost ones */
    bool sampled;  /* hits are samples; calls are complete and have no sampling error */
    double spread; /* how many times larger the variance of a share is than that of independent
                    * samples; 0: not known, taken as 1 */
};

/* A count that is not exact: hits of a block may belong to any code in the block. */
struct stats_count {
    uint64_t hits;        /* the number that is shown */
    uint64_t inherited;   /* how many of them may belong to another row */
    uint64_t least, most; /* bounds of hits */
    double spread; /* variance over that of counting, as of wander_spread(); less than 1: 1 */
    struct stats_unseen unseen;
};

/*
 * Returns the share of hits, and an interval: from Wilson's low end for the least that the count
 * can be, to Wilson's high end for the most. It contains the true share at least as often as
 * Wilson's interval of the true count does. Counts that are complete (calls) have no sampling
 * error: their interval covers only what was lost and what is another row's. If lost hits are not
 * located,
 *
 * - the low end leaves out inherited, and counts dropped as hits of other rows;
 * - the high end adds stats_waited().
 */
struct stats_share stats_share_of(const struct stats_count *count, const struct stats_whole *whole);

#endif
