/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a diff may pass: thresholds on changes, and budgets of shares. */
#ifndef PROFILE_GATE_H
#define PROFILE_GATE_H

#include <profile/diff.h>

/* A change that is too much, of the rows whose name matches. */
struct gate_threshold {
    const char *glob; /* as fnmatch() has it; part of the text that was parsed */
    size_t glob_len;  /* 0: every row */
    double limit;     /* 0.02 for +2pp (of base's whole), 0.05 for +5%; < 0: a fall is too much */
    bool points;      /* percentage points, else percent of the row itself */
};

/*
 * Reads "+2pp", "+5%", "-1pp", "fir_*=+5%". false: it is none, *out is untouched. *out refers to
 * text.
 */
bool gate_parse(const char *text, struct gate_threshold *out) __attribute__((warn_unused_result));

/*
 * Whether a row breaks a threshold: its name matches, it is significant in the threshold's
 * direction, and the best estimate of its change is beyond the limit. With options.per at the
 * median or a function that is the row's own change, not that of its share.
 */
bool gate_threshold_broken(const struct gate_threshold *threshold, const char *name,
                           const struct diff_row *row);

enum gate_budget {
    GATE_WITHIN,   /* the whole interval is */
    GATE_UNSURE,   /* the interval holds the budget: more hits would tell */
    GATE_EXCEEDED, /* the whole interval is above */
};

/*
 * The row's new share against the largest that it may have, 0 to 1. *low and *high are the share's
 * interval, wide enough that of budget_count rows and budgets that are held against each other all
 * intervals hold with 95 % (C. E. Bonferroni). Where row.noise is NAN, the noise between runs is
 * not in it.
 */
enum gate_budget gate_budget(const struct diff_row *row, double max_share, size_t budget_count,
                             double *low, double *high);

#endif
