/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the steps of a diff share. */
#ifndef PROFILE_DIFF_PRIVATE_H
#define PROFILE_DIFF_PRIVATE_H

#include <profile/diff.h>

enum { DIFF_BASE, DIFF_NEWER, DIFF_SIDES };

/* A row while it is compared. */
struct diff_work {
    double hits[DIFF_SIDES];
    double least[DIFF_SIDES], most[DIFF_SIDES]; /* what they may be, after losses */
    bool lossy;    /* shows what the table lost, not by how much runs differ */
    double noise2; /* relative variance between runs */
    double excess; /* factor on noise and counting that the row's own runs show */
    double df;
    double reach;  /* special_t_quantile() of 5 % and df: it takes long to work out */
    double spread; /* variance over that of plain counting */
    double trust;  /* 0 to 1: belongs to those that did not change */
    bool excluded; /* known to have changed */
};

struct diff_problem {
    const struct diff_side *sides[DIFF_SIDES];
    const struct diff_options *options;
    struct diff_work *rows;
    size_t count;
    double totals[DIFF_SIDES];
    double runs[DIFF_SIDES]; /* snapshots a side, fewer where their totals differ */
    double noise2;           /* common; NAN: not known */
};

/* Fills noise2, excess, df and reach of the rows and the problem. false: no memory. */
bool diff_noise(struct diff_problem *problem);

/* A row's logarithm of a ratio and its variance, and how much it belongs to the rest. */
struct diff_point {
    double x, variance, trust;
    size_t row;
};

/* The value that most points agree on: where the sum of docs/statistics.md ("The median") is
 * largest. Sets their trust; may change their order. */
double diff_centre(struct diff_point *points, size_t count);

/* Sets adjusted and significant from p, over all rows that were tested. false: no memory. */
bool diff_family(struct diff *diff, const struct diff_options *options);

#endif
