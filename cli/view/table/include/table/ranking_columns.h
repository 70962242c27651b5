/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a ranking; a row is a struct view_row. */
#ifndef TABLE_RANKING_COLUMNS_H
#define TABLE_RANKING_COLUMNS_H

#include <table/column.h>

/* All columns of a ranking. */
extern const struct view_columns view_ranking_columns;

/* Returns the list of columns that is shown without --fields, a constant. */
const char *view_fields_default(enum view_by by);

/* The same for a screen of width cells. */
const char *view_fields_screen(enum view_by by, unsigned width);

/* Sorts rows by a column; NULL: by share. Rows that are equal there are sorted by hits, then by
 * address. */
void view_rows_sort(struct view_rows *rows, const struct view_column *column);

/* The column with the time of the refresh, the first one in CSV. */
extern const struct view_column view_time_column;

#endif
