/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two sets of profiles: what changed, and what is only noise (docs/statistics.md). */
#ifndef PROFILE_DIFF_H
#define PROFILE_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The hits of one row in one snapshot. */
struct diff_hits {
    uint64_t hits;                      /* all of them; 0 if the snapshot does not have the row */
    uint64_t inherited;                 /* how many of them may belong to another row */
    uint64_t unseen_least, unseen_most; /* lost hits, as in struct stats_unseen */
    double
        spread; /* as in struct stats_count; used with one run a side, which nothing else shows */
};

/* One run. All runs of a diff have the same rows in the same order. The caller owns the rows. */
struct diff_snapshot {
    const struct diff_hits *rows;
    uint64_t dropped;  /* hits that were lost */
    bool located;      /* lost hits are known by region: each row with hits has unseen_... */
    double sample_hz;  /* samples a second; <= 0: not known, or calls */
    double duration_s; /* <= 0: not known */
    double iterations; /* of the main loop in this time; <= 0: not known */
    double idle;       /* the part of the core's time in which it was idle, 0 to 1 */
};

/* The runs of one build, from the oldest to the newest. */
struct diff_side {
    const struct diff_snapshot *snapshots; /* count of them, at least 1; the caller's */
    size_t count;
};

/* What a row's ratio is relative to. */
enum diff_per {
    DIFF_PER_AUTO,      /* iterations if all runs have them, time if the core idles, else median */
    DIFF_PER_ITERATION, /* iterations of the main loop */
    DIFF_PER_SECOND,    /* time */
    DIFF_PER_MEDIAN,    /* the ratio that most rows agree on */
    DIFF_PER_FUNCTION,  /* the ratio of one row */
};

/* What the runs say of the core, if no iterations are known. */
enum diff_load {
    DIFF_LOAD_IDLES,   /* at least 1 % of every run is idle */
    DIFF_LOAD_FULL,    /* never idle, or not known */
    DIFF_LOAD_BETWEEN, /* neither: a core that ran out of idle time, or nearly so */
};

#define DIFF_NOISE_UNKNOWN (-1.0)

/* How to compare. */
struct diff_options {
    enum diff_per per;
    size_t reference; /* index of the row for DIFF_PER_FUNCTION */
    /* Of each row whether it is idle: shown and never judged; NULL: none is. Borrowed. */
    const bool *idle;
    /* The chance that at least one row is called significant although none has changed; 0 < fdr
     * < 1.
     */
    double fdr;
    bool exact; /* hits are all calls that there were, and not a sample */
    /* With one run a side: new grows and is compared again and again, and base is complete. */
    bool repeated;
    /* Least relative standard deviation between runs of one build to assume (0.02 is 2 %).
     * DIFF_NOISE_UNKNOWN: only what the runs show, which is nothing with one a side. */
    double noise;
};

#define DIFF_OPTIONS_DEFAULT ((struct diff_options){.fdr = 0.05, .noise = DIFF_NOISE_UNKNOWN})

/* Where a row has hits. */
enum diff_state {
    DIFF_BOTH,
    DIFF_NEW,   /* no hits in base */
    DIFF_GONE,  /* no hits in new */
    DIFF_EMPTY, /* no hits on either side */
};

/* The result for one row. Intervals are 95 % intervals. NAN is not known. */
struct diff_row {
    enum diff_state state;
    uint64_t base_hits, new_hits; /* sums over the snapshots of the side */

    /* Shares of all hits of the side, 0 to 1. The share of a row changes if any other row changes,
     * so a change of it does not say that this row has changed. */
    double base_share, new_share;
    double share_change; /* new_share - base_share */
    /* For diff_new_share(): the smallest and largest share after losses, the variance of the row's
     * hits divided by the hits of new (0: exact), and its degrees of freedom. */
    double new_least, new_most, new_unit, new_df;

    /* What a reader sees, in the unit of the reference: parts of time (DIFF_PER_SECOND; calls:
     * calls a second), seconds an iteration (hits, if no rate is known), else parts of base's hits.
     * Their quotient is the ratio. */
    double base_figure, new_figure;

    /* The row's own change: hits of new divided by hits of base, relative to what options.per says,
     * and its interval. 1 is no change, INFINITY a new row. */
    double ratio, ratio_low, ratio_high;
    /* The same change as a part of base's total (0.02: the row takes 2 % of base's time more). */
    double change, change_low, change_high;

    double p;         /* chance of such a difference or a larger one if the row had not changed */
    double adjusted;  /* the smallest fdr at which the row is significant */
    bool significant; /* adjusted is at most options.fdr */
    int direction;    /* 1: more, -1: less, 0: not significant */
    double noise;     /* relative standard deviation between runs; NAN: not known */
    bool idle;        /* as options.idle says */
    bool in_camp;     /* of the rows of which cannot be told which ones changed: diff.contested */
    size_t index;     /* of the row in the snapshots */
};

/* What diff_prove() needs. */
struct diff_kept;

/* The result of diff_make(). */
struct diff {
    struct diff_row *rows; /* count of them, in the order of the snapshots; owned */
    size_t count;
    struct diff_kept *kept; /* owned */
    size_t runs;            /* runs a side that were compared: the newest ones */
    enum diff_per per;      /* never DIFF_PER_AUTO */
    enum diff_load load;
    double scale; /* hits of new for each hit of base in an unchanged row */
    double noise; /* relative standard deviation between runs, over most rows; NAN: not known */
    /* With DIFF_PER_SECOND: all busy rows together changed by this part (0.1: 10 % more), and it is
     * significant and more than 5 %; else 0. */
    double together;

    /* With DIFF_PER_MEDIAN. support: share of base's hits in rows that agree on the median.
     * rival_support: share of base's hits in rows that agree on another ratio, rival; without such
     * rows they are 0 and NAN. contested: rival_support is at least a third of support, and of more
     * than one row or against less than three: which of the two groups of rows has changed is not
     * known, and no row of either is judged. */
    double support, rival_support, rival;
    bool contested;
};

/* A change that is asked about: is the ratio of a row above limit (if falls: below)? */
struct diff_limit {
    size_t row;      /* index of the row in the snapshots */
    double limit;    /* > 0; 1.05: 5 % more */
    bool falls;      /* asks for less */
    double adjusted; /* set by diff_prove(): the smallest error at which it is proven; NAN: the row
                      * cannot be judged */
};

/* Why there is no result. */
enum diff_code {
    DIFF_OK = 0,
    DIFF_EMEMORY,
    DIFF_EEMPTY,     /* a side has no hits */
    DIFF_ETIME,      /* DIFF_PER_SECOND: a duration or a rate is not known */
    DIFF_EITERATION, /* DIFF_PER_ITERATION: a run has no iterations */
    DIFF_EREFERENCE, /* DIFF_PER_FUNCTION: the row has no hits on a side, or does not exist */
};

/*
 * Compares newer with base, row by row; all runs have row_count rows. If one side has more runs,
 * only as many of its newest ones as the other side has are used. The result does not refer to the
 * arguments. The caller frees it with diff_free(). On failure *out is unchanged.
 *
 * With one run a side nothing shows how much runs of one build differ. Then, unless options.noise
 * or options.repeated says what is asked, p is NAN, no row is significant, and intervals cover
 * counting and losses only (of exact counts: losses).
 */
enum diff_code diff_make(const struct diff_side *base, const struct diff_side *newer,
                         size_t row_count, const struct diff_options *options, struct diff *out)
    __attribute__((warn_unused_result));

/* Frees the rows. */
void diff_free(struct diff *diff);

/* Sets adjusted of count limits, which are tested together: the chance that any of them is called
 * proven falsely at adjusted <= error is at most error. Returns false if memory runs out. */
bool diff_prove(const struct diff *diff, struct diff_limit *limits, size_t count)
    __attribute__((warn_unused_result));

/* Sets *low and *high to an interval of the row's new share that misses the true share with
 * probability error, 0 < error < 1. NAN: not known. */
void diff_new_share(const struct diff_row *row, double error, double *low, double *high);

/* Returns a constant line for a code, without names of files. */
const char *diff_text(enum diff_code code);

#endif
