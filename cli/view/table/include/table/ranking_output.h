/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One refresh as JSON, CSV, or Markdown. */
#ifndef TABLE_RANKING_OUTPUT_H
#define TABLE_RANKING_OUTPUT_H

#include <table/ranking_columns.h>
#include <table/status.h>

/* All there is to know of a row. */
#define VIEW_CSV_FIELDS "function,file,line,address,hits,share,low,high,error,recent,rate,flags"
#define VIEW_CSV_ARCS   "caller," VIEW_CSV_FIELDS

/*
 * The rows in their order, limit of them at most, 0: all; texts to be freed, NULL: no memory.
 *
 * JSON: one object without an end of line. What is not known is null.
 * CSV: the time of the refresh and then the chosen columns, one line a row; pictures are left out.
 * heading: with a first line of the columns' names.
 * Markdown: what it is of, then the chosen columns; rows beyond the limit are counted.
 */
char *view_json(const struct view_status *status, const struct profile *profile,
                const struct view_rows *rows, size_t limit);
char *view_csv(const struct view_status *status, const struct view_fields *fields,
               const struct view_rows *rows, size_t limit, bool heading);
char *view_markdown(const struct view_status *status, const struct view_fields *fields,
                    const struct profile *profile, const struct view_rows *rows, size_t limit);

#endif
