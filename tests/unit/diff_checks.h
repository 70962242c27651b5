/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sides of a diff with made hits, for tests. */
#ifndef TESTS_DIFF_CHECKS_H
#define TESTS_DIFF_CHECKS_H

#include <profile/diff.h>

#define ROWS 6
#define SIDE 3

/* One snapshot a side, rows of hits. */
struct pair {
    struct diff_hits hits[2][ROWS];
    struct diff_snapshot snapshots[2];
    struct diff_side sides[2];
    struct diff_options options;
};

/* Hits of a base: shares of 40, 20, 20, 10, 9.9 and 0.1 %. */
extern const uint64_t plain[ROWS];

void make_pair(struct pair *pair, const uint64_t base[ROWS], const uint64_t newer[ROWS]);
enum diff_code compare(const struct pair *pair, struct diff *out);
/* These two fail the test if there is no result. */
struct diff diff_of(const struct pair *pair);
struct diff diff_between(struct pair *pair, const uint64_t base[ROWS], const uint64_t newer[ROWS]);

/* Runs of rows that differ a little, by the same on both sides; what one row has in new is
 * multiplied by changed. */
struct runs {
    struct diff_hits hits[2 * SIDE][ROWS];
    struct diff_snapshot snapshots[2 * SIDE];
    struct diff_side sides[2];
    struct diff_options options;
};

void make_runs(struct runs *r, double changed);
/* Fails the test if there is no result. */
struct diff diff_of_runs(const struct runs *r);

#endif
