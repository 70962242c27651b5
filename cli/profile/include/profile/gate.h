/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gates of a diff: thresholds for changes, and budgets for shares. */
#ifndef PROFILE_GATE_H
#define PROFILE_GATE_H

#include <profile/diff.h>

/* The largest change that is allowed in rows with a matching name. */
struct gate_threshold {
    const char *glob; /* pattern of fnmatch(), glob_len bytes of the parsed text; borrowed */
    size_t glob_len;  /* 0: all rows */
    double limit;     /* 0.02 for "+2pp" or "+2%"; negative: the largest decrease */
    bool points;      /* limit is percentage points of base's total, else percent of the row */
};

/* Parses "+2pp", "+5%", "-1pp", "fir_*=+5%". *out refers to text. Returns false if text is not a
 * threshold; *out is unchanged then. */
bool gate_parse(const char *text, struct gate_threshold *out) __attribute__((warn_unused_result));

/* Whether a row breaks a threshold: its name matches, it is significant in the threshold's
 * direction, and the best estimate of its own change (row.change or row.ratio) is beyond the limit.
 * name may be NULL, and then matches only a threshold for all rows. */
bool gate_threshold_broken(const struct gate_threshold *threshold, const char *name,
                           const struct diff_row *row);

/* A share compared with its budget. */
enum gate_budget {
    GATE_WITHIN,   /* the whole interval is within the budget */
    GATE_UNSURE,   /* the budget is inside the interval: more hits are needed */
    GATE_EXCEEDED, /* the whole interval is above the budget */
};

/*
 * Compares a row's new share with max_share, 0 to 1. Sets *low and *high to the interval of the
 * share. budget_count is the number of such comparisons: intervals are widened so that all of them
 * together hold with 95 % (C. E. Bonferroni). If row.noise is NAN they do not cover the noise
 * between runs.
 */
enum gate_budget gate_budget(const struct diff_row *row, double max_share, size_t budget_count,
                             double *low, double *high);

#endif
