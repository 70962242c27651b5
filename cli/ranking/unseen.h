/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many lost hits may belong to a row of a ranking. */
#ifndef RANKING_UNSEEN_H
#define RANKING_UNSEEN_H

#include "row_naming.h"

/*
 * Sets unseen of each row: count of them, merged and sorted by order; *ignored, of the code that
 * the naming leaves out; and *without, all but its high. Lost hits are known by region of code: a
 * row may have those of the regions in which it has code that is not complete. Without a source of
 * functions, the profile's empty rows tell what code there is. Returns false if memory runs out.
 */
bool unseen_work_out(struct naming *n, const struct profile *profile, struct view_row *rows,
                     size_t count, int (*order)(const void *, const void *),
                     struct stats_unseen *ignored, struct view_without_row *without)
    __attribute__((warn_unused_result));

/* Returns the most that size bytes of code may have lost; all lost hits if that is a
 * lot of code, or memory runs out. */
uint64_t unseen_of_code(const struct profile *profile, uint64_t start, uint64_t size);

#endif
