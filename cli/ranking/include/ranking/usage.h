/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU usage: the shares of tasks, interrupts and idle. */
#ifndef RANKING_USAGE_H
#define RANKING_USAGE_H

#include <stdbool.h>

#include <ranking/rows.h>

/* Shares from 0 to 1; < 0: not known. Those that are known add up to 1. Sleep is idle. unknown is
 * events that were lost, and samples that did not come because interrupts were masked, or the core
 * was halted or slept without mprof_sleep_enter(). */
struct view_usage {
    double tasks, interrupts, idle, unknown; /* since the last update, all cores */
    double total_tasks, total_interrupts, total_idle, total_unknown; /* since counting began */
    double samples, total_samples; /* how many these shares are parts of; 0: no intervals */
    double spread;   /* variance of a share over that of independent samples, at least 1 */
    bool wall;       /* the first four are of wall time: the rate is known; else of samples */
    bool total_wall; /* the same for the total: the rate and the start of counting are known */
    bool callees;    /* functions that a handler calls count as tasks: samples have no exceptions */
    bool locked;     /* the firmware's own tick takes the samples: interrupts are not seen */
};

/* Returns the number of samples that all cores take in a time; 0: the rate is not known. */
double view_usage_expected(const struct profile *profile, double seconds);

/* Computes the usage from rows that view_contexts_mark() has marked. All shares are not known if
 * the rows are not marked or count calls. */
void view_usage_make(const struct profile *profile, const struct view_rows *rows,
                     struct view_usage *usage);

/* Returns a share of the last interval with its 95 % interval. The ends are < 0 if the share or its
 * interval is not known. */
struct stats_share view_usage_share(const struct view_usage *usage, double share);

#endif
