/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a diff; a row is a struct view_change. */
#ifndef TABLE_CHANGE_COLUMNS_H
#define TABLE_CHANGE_COLUMNS_H

#include <ranking/change.h>
#include <table/column.h>

/* All columns of a diff. */
extern const struct view_columns view_change_columns;

/* What is said of a row's change: "more", "less" or "", a constant; the ratio with its interval, in
 * percent more or less, or "new" or "gone"; the ratio less 1, if it is known and finite. */
const char *view_verdict(const struct diff_row *row);
void view_show_ratio(const struct diff_row *row, bool utf8, char *text, size_t capacity);
void view_get_ratio(const struct diff_row *row, struct view_value *value);

/* Returns the lists of columns that are shown if none are asked for, constants: the figures of base
 * and new in the unit of the diff, and what rows are called. */
const char *view_change_figures(const struct view_changes *changes);
const char *view_change_places(enum view_by by);

/* The lists of columns for CSV. */
#define VIEW_CHANGE_FIELDS_ALL                                                                 \
    "function,file,line,state,old_name,old_file,verdict,base,new,change,base_share,new_share," \
    "share_change,delta,low,high,ratio,ratio_low,ratio_high,p,adjusted,significant,base_hits," \
    "new_hits,base_time,new_time,address"
#define VIEW_CHANGE_FIELDS_ALL_ARCS "caller," VIEW_CHANGE_FIELDS_ALL

/* Removes rows without hits, and sorts the others by a column; NULL: by importance, which is
 * significant rows first, by the size of their change. Rows that are equal there are sorted by
 * importance, then by name. */
void view_changes_sort(struct view_changes *changes, const struct view_column *column);

#endif
