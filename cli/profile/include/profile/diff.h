/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changed between two sides of profiles, and what is only noise (docs/statistics.md). */
#ifndef PROFILE_DIFF_H
#define PROFILE_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row in one snapshot. hits is what was counted, inherited is the part of it that was taken over
 * from another row when this one was admitted. */
struct diff_hits {
    uint64_t hits, inherited;
};

/* One run. rows has as many entries as every other snapshot of the same diff, in the same order (a
 * row that it does not have has 0 hits); the caller owns them. */
struct diff_snapshot {
    const struct diff_hits *rows;
    uint64_t dropped;  /* hits that no row took */
    double sample_hz;  /* of the feeder; <= 0: not known, or calls */
    double duration_s; /* <= 0: not known */
};

struct diff_side {
    const struct diff_snapshot *snapshots;
    size_t count; /* at least 1 */
};

/* What a row's ratio is relative to. */
enum diff_per {
    DIFF_PER_MEDIAN,   /* to what most rows agree on */
    DIFF_PER_SECOND,   /* to time */
    DIFF_PER_FUNCTION, /* to one row */
};

#define DIFF_NOISE_UNKNOWN (-1.0)

struct diff_options {
    enum diff_per per;
    size_t reference; /* the row of DIFF_PER_FUNCTION */
    /* The chance that any row is called significant falsely, and so at most that part of the
     * significant ones (Holm, weighted by share); 0 < fdr < 1. */
    double fdr;
    bool exact; /* hits are all the calls that there were, not a sample */
    /* Standard deviation between runs of one firmware, relative (0.02: 2 %): the least that is
     * believed. DIFF_NOISE_UNKNOWN: as the snapshots show, where one a side shows nothing. */
    double noise;
};

#define DIFF_OPTIONS_DEFAULT \
    ((struct diff_options){.per = DIFF_PER_MEDIAN, .fdr = 0.05, .noise = DIFF_NOISE_UNKNOWN})

enum diff_state {
    DIFF_BOTH,
    DIFF_NEW,   /* no hits in base */
    DIFF_GONE,  /* no hits in new */
    DIFF_EMPTY, /* none anywhere */
};

/* Intervals are of 95 %. NAN: not known. */
struct diff_row {
    enum diff_state state;
    uint64_t base_hits, new_hits; /* of all snapshots of the side */

    /* Of all rows' hits of the side, 0 to 1. A share changes when any other row does: what it
     * became says nothing about this row, and is never called significant. */
    double base_share, new_share;
    double share_change;      /* new_share - base_share */
    double new_low, new_high; /* of new_share, for budgets */
    /* What diff_new_share() makes these from: the share after losses, the variance of the row's
     * hits over new's hits (0: exact) and its degrees of freedom. */
    double new_least, new_most, new_unit, new_df;

    /* The row's own change: hits of new over base, relative to what options.per says. 1: none;
     * INFINITY: new. */
    double ratio, ratio_low, ratio_high;
    /* The same in parts of the base's whole (0.02: the row takes 2 % of base's time more). */
    double change, change_low, change_high;

    double p;        /* of "it did not change", this row alone */
    double adjusted; /* the smallest fdr at which it is significant */
    bool significant;
    int direction; /* 1: more, -1: less, 0: neither can be said */
    double noise;  /* relative standard deviation between runs that was reckoned with */
};

struct diff {
    struct diff_row *rows; /* as in the snapshots */
    size_t count;
    uint64_t base_hits, new_hits;
    double scale; /* hits of new per hit of base that mean "unchanged" */
    double noise; /* common relative standard deviation between runs; NAN: not known */

    /* DIFF_PER_MEDIAN: share of base's hits whose rows make up the median, and of base's hits whose
     * rows agree on another ratio, rival, instead. contested: the rival has at least a third as
     * many; then shares cannot say which of the two did not change. */
    double support, rival_support, rival;
    bool contested;
    /* DIFF_PER_MEDIAN: the rows that are not significant differ among themselves by more than
     * noise: some of them changed too, only which cannot be said. */
    bool uneven;
};

enum diff_code {
    DIFF_OK = 0,
    DIFF_EMEMORY,
    DIFF_EEMPTY,     /* a side has no hits at all */
    DIFF_ETIME,      /* DIFF_PER_SECOND: a duration or a rate is not known */
    DIFF_EREFERENCE, /* DIFF_PER_FUNCTION: the row has no hits on a side, or is none */
};

/*
 * Compares new with base, row by row, of row_count rows. Unless DIFF_OK, *out is untouched. Free
 * with diff_free().
 *
 * Exact counts vary between runs only, which one snapshot a side does not show: unless
 * options.noise says how much, p is NAN, nothing is significant, and intervals are what was dropped
 * or inherited.
 */
enum diff_code diff_make(const struct diff_side *base, const struct diff_side *newer,
                         size_t row_count, const struct diff_options *options, struct diff *out)
    __attribute__((warn_unused_result));
void diff_free(struct diff *diff);

/*
 * The interval of a row's new share that misses the true one with a chance of error, 0 < error < 1
 * (0.05: that of new_low and new_high). NAN: not known.
 */
void diff_new_share(const struct diff_row *row, double error, double *low, double *high);

/* One line for a code, without names of files. */
const char *diff_text(enum diff_code code);

#endif
