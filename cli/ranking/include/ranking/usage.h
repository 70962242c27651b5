/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU was used for: tasks, interrupts, idle. */
#ifndef RANKING_USAGE_H
#define RANKING_USAGE_H

#include <stdbool.h>

#include <ranking/rows.h>

/* Shares from 0 to 1; < 0: not known. Those that are known add up to 1. */
struct view_usage {
    /* In the last interval: of wall time, of all cores; asleep is idle, unknown is what was not
     * attributed and samples that did not come: masked, halted, or asleep without being told. */
    double tasks, interrupts, idle, unknown;
    /* Since the counts began: of wall time, or of the samples that were presented. */
    double total_tasks, total_interrupts, total_idle, total_unknown;
    bool total_wall; /* of wall time: the rate, and when the counts began, are known */
    bool wall;       /* of wall time: the rate is known; false: of the samples that came */
    bool callees; /* what a handler calls counts as tasks: the samples do not say what they were in
                   */
    bool locked;  /* to the firmware's own tick: interrupts can't be seen */
};

/* Samples of so many seconds, of all cores, if none were missing; 0: the rate is not known. */
double view_usage_expected(const struct profile *profile, double seconds);

/* rows: marked by view_contexts_mark(). Of calls nothing is known. */
void view_usage_make(const struct profile *profile, const struct view_rows *rows,
                     struct view_usage *usage);

#endif
