/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of one row of a diff. */
#ifndef PROFILE_DIFF_ROW_H
#define PROFILE_DIFF_ROW_H

#include "diff_private.h"

/* What a row is compared with, in hits that count for as much as hits of plain counting. */
struct diff_others {
    double hits[DIFF_SIDES];
};

/* The row's variance over that of plain counting, where scale hits of new per hit of base mean
 * "unchanged". */
double diff_spread(const struct diff_problem *problem, const struct diff_work *row, double scale);

/* p of "it did not change", and the direction in which it changed if it did. */
double diff_row_p(const struct diff_problem *problem, const struct diff_work *row,
                  const struct diff_others *others, int *direction);

/* Everything of out, whose hits and p are there, that does not depend on other rows' p. */
void diff_row_fill(const struct diff_problem *problem, const struct diff_work *row,
                   const struct diff_others *others, struct diff_row *out);

#endif
