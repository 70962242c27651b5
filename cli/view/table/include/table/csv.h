/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One refresh as lines of comma-separated values. */
#ifndef TABLE_CSV_H
#define TABLE_CSV_H

#include <table/columns.h>
#include <table/status.h>

/* All there is to know of a row. */
#define VIEW_CSV_FIELDS "function,file,line,address,hits,share,low,high,error,recent,rate,flags"
#define VIEW_CSV_ARCS   "caller," VIEW_CSV_FIELDS

/*
 * The rows, one a line, each with the time of its refresh and then the chosen columns; what is only
 * a picture (bar) is left out. Numbers are as in JSON: shares from 0 to 1, and nothing where they
 * are not known. Texts are as text_csv() writes them, lines end in a newline. heading: with a first
 * line of the columns' names. At most limit rows, 0: all. To be freed; NULL: no memory.
 */
char *view_csv(const struct view_status *status, const struct view_fields *fields,
               const struct view_rows *rows, size_t limit, bool heading);

#endif
