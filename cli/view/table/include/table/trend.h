/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes trends: mprof trend. */
#ifndef TABLE_TREND_H
#define TABLE_TREND_H

#include <ranking/trend.h>
#include <table/table.h>

/* Returns trends as text, which the caller frees with free(). page is for tables and Markdown, and
 * may be NULL for CSV and JSON. Returns NULL if memory runs out. */
char *view_trends(const struct view_trends *trends, enum view_format format,
                  const struct view_page *page);

#endif
