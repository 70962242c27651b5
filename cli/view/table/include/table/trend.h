/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How functions went from build to build, written. */
#ifndef TABLE_TREND_H
#define TABLE_TREND_H

#include <ranking/trend.h>
#include <table/table.h>

/* To be freed; NULL: no memory. page is for tables and Markdown. */
char *view_trends(const struct view_trends *trends, enum view_format format,
                  const struct view_page *page);

#endif
