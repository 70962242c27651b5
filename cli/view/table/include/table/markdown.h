/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One profile as a table in Markdown. */
#ifndef TABLE_MARKDOWN_H
#define TABLE_MARKDOWN_H

#include <table/columns.h>
#include <table/status.h>

/* The rows as a table with the chosen columns, pictures left out, under a line that says what was
 * counted. At most limit rows, 0: all; what is left out is counted in a last one. To be freed;
 * NULL: no memory. */
char *view_markdown(const struct view_status *status, const struct view_fields *fields,
                    const struct profile *profile, const struct view_rows *rows, size_t limit);

#endif
