/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The share of each row in each second of the last minute, for sparklines. */
#ifndef RANKING_SPARKLINES_H
#define RANKING_SPARKLINES_H

#include <profile/recent_window.h>
#include <ranking/rows.h>

struct sparklines;

/* Creates an empty object, which the caller frees. Returns NULL if memory runs out. */
struct sparklines *sparklines_new(void);
/* NULL is allowed and does nothing. */
void sparklines_free(struct sparklines *sparklines);

/*
 * Groups the new seconds of a window like view_rows_build_named() does; names and ignore may be
 * NULL. If names, by or ignore have changed, groups all seconds again. Arguments are borrowed only
 * for the call. Returns false if memory runs out; the seconds that could not be grouped are then
 * not known.
 */
bool sparklines_update(struct sparklines *sparklines, const struct recent_window *window,
                       const struct profile *now, const struct symbol_naming *names,
                       enum view_by by, const struct view_ignore *ignore)
    __attribute__((warn_unused_result));

/* Writes the row's share of the hits of each second, 0 to 1, to shares, oldest first; < 0 is not
 * known. The last one is the newest second that is over. Returns the number of seconds, at most
 * capacity. */
size_t sparklines_series(const struct sparklines *sparklines, const struct view_row *row,
                         double *shares, size_t capacity);

#endif
