/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last minute of each row. */
#ifndef RANKING_PAST_H
#define RANKING_PAST_H

#include <profile/past.h>
#include <ranking/rows.h>

struct view_past;

/* NULL: no memory. Free with view_past_free(). */
struct view_past *view_past_new(void);
void view_past_free(struct view_past *past);

/*
 * Groups the seconds that are new as view_rows_build_named() does (names and ignore may be NULL);
 * all of them again when names (its context), by or ignore are others than before. Nothing is
 * borrowed. false: no memory, and what could not be grouped is not known.
 */
bool view_past_update(struct view_past *view, const struct past *past, const struct profile *now,
                      const struct symbol_naming *names, enum view_by by,
                      const struct view_ignore *ignore) __attribute__((warn_unused_result));

/* The row's share of each second's hits, oldest first, capacity of them at most; < 0: that is not
 * known. How many seconds there are, the last one being the newest that is over. */
size_t view_past_series(const struct view_past *view, const struct view_row *row, double *shares,
                        size_t capacity);

#endif
