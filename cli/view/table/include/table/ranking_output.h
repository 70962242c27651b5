/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a ranking as JSON, CSV or Markdown. */
#ifndef TABLE_RANKING_OUTPUT_H
#define TABLE_RANKING_OUTPUT_H

#include <table/ranking_columns.h>
#include <table/status.h>

/* The columns of CSV without --fields. */
#define VIEW_CSV_FIELDS "function,file,line,address,hits,share,low,high,error,recent,rate,flags"
#define VIEW_CSV_ARCS   "caller," VIEW_CSV_FIELDS

/*
 * Return the first limit rows in their order, 0: all, as text. The caller frees it with free().
 * Return NULL if memory runs out.
 *
 * JSON is one object without a newline; what is not known is null. CSV has the time of the refresh
 * and the columns of fields except for pictures, one line for each row; with heading the first line
 * has their names. Markdown has a title and the columns of fields, and counts the rows beyond
 * limit.
 */
char *view_json(const struct view_status *status, const struct profile *profile,
                const struct view_rows *rows, size_t limit);
char *view_csv(const struct view_status *status, const struct view_fields *fields,
               const struct view_rows *rows, size_t limit, bool heading);
char *view_markdown(const struct view_status *status, const struct view_fields *fields,
                    const struct profile *profile, const struct view_rows *rows, size_t limit);

#endif
