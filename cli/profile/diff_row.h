/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of one row of a diff. */
#ifndef PROFILE_DIFF_ROW_H
#define PROFILE_DIFF_ROW_H

#include "diff_private.h"

/* p of "its ratio is limit" by counting alone, and the direction in which it is not, at the end of
 * the losses that speaks most against that. With one run a side the noise between runs is counting,
 * too. */
double diff_row_p(const struct diff_kept *kept, const struct diff_work *row, double limit,
                  int *direction);

/* The same by what the runs of the row differ by, this row alone; 0 with one run a side. */
double diff_row_p_runs(const struct diff_kept *kept, const struct diff_work *row);

/* The row as a difference from 0, and from a limit. */
struct diff_item diff_item_of(const struct diff_work *row);
struct diff_item diff_limit_item(const struct diff_kept *kept, const struct diff_work *row,
                                 const struct diff_limit *limit);

/* Everything of a row whose p is there. */
void diff_row_fill(const struct diff_problem *problem, size_t index, struct diff_row *out);

#endif
