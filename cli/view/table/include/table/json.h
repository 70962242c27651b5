/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One refresh as one JSON object. */
#ifndef TABLE_JSON_H
#define TABLE_JSON_H

#include <table/columns.h>
#include <table/status.h>

/* The object as one line without a newline, to be freed; NULL: no memory. At most limit rows, 0:
 * all. Numbers are numbers, and what is not known is null. */
char *view_json(const struct view_status *status, const struct profile *profile,
                const struct view_rows *rows, size_t limit);

#endif
