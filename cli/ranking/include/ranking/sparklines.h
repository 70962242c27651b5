/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last minute of each row. */
#ifndef RANKING_SPARKLINES_H
#define RANKING_SPARKLINES_H

#include <profile/recent_window.h>
#include <ranking/rows.h>

struct sparklines;

/* NULL: no memory. Free with sparklines_free(). */
struct sparklines *sparklines_new(void);
void sparklines_free(struct sparklines *sparklines);

/*
 * Groups the seconds that are new as view_rows_build_named() does (names and ignore may be NULL);
 * all of them again when names (its context), by or ignore are others than before. Nothing is
 * borrowed. false: no memory, and what could not be grouped is not known.
 */
bool sparklines_update(struct sparklines *sparklines, const struct recent_window *window,
                       const struct profile *now, const struct symbol_naming *names,
                       enum view_by by, const struct view_ignore *ignore)
    __attribute__((warn_unused_result));

/* The row's share of each second's hits, oldest first, capacity of them at most; < 0: that is not
 * known. How many seconds there are, the last one being the newest that is over. */
size_t sparklines_series(const struct sparklines *sparklines, const struct view_row *row,
                         double *shares, size_t capacity);

#endif
