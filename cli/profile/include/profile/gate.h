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

/* The ratio that a threshold is for a row; <= 0: no change of the row can break it. */
double gate_limit(const struct gate_threshold *threshold, const struct diff_row *row);

/* What is known of a row and its limit. */
enum gate_result {
    GATE_WITHIN, /* the whole interval is within the limit */
    GATE_OPEN,   /* the limit is inside the interval: more runs are needed */
    GATE_ABOVE,  /* it is proven that the limit is exceeded */
};

/* What is known of a row and the limit of a threshold, which diff_prove() has tested. */
enum gate_result gate_judge(const struct gate_threshold *threshold, const struct diff_row *row,
                            const struct diff_limit *limit);

/*
 * Compares a row's new share with max_share, 0 to 1. Sets *low and *high to the interval of the
 * share. budget_count is the number of such comparisons: intervals are widened so that all of them
 * together hold with 95 % (C. E. Bonferroni).
 */
enum gate_result gate_budget(const struct diff_row *row, double max_share, size_t budget_count,
                             double *low, double *high);

#endif
