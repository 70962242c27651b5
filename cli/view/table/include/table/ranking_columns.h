/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a ranking; a row is a struct view_row. */
#ifndef TABLE_RANKING_COLUMNS_H
#define TABLE_RANKING_COLUMNS_H

#include <table/column.h>

extern const struct view_columns view_ranking_columns;

/* What is shown when --fields is not given. */
const char *view_fields_default(enum view_by by);

/* The same on a screen of so many cells. */
const char *view_fields_screen(enum view_by by, unsigned width);

/* Orders rows by a column, NULL: by share; rows that it does not tell apart by hits, then by
 * address. */
void view_rows_sort(struct view_rows *rows, const struct view_column *column);

/* The column of the time of the refresh, which stands before the others in CSV. */
extern const struct view_column view_time_column;

#endif
