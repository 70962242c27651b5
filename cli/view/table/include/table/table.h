/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows in columns, written in four ways. */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include <jansson.h>

#include <base/text.h>
#include <table/column.h>

struct view_table {
    const struct view_fields *fields;
    const void *rows; /* as the columns' functions take them */
    size_t size;      /* bytes of a row */
    size_t count;
    const struct view_scale *scale; /* NULL: the columns need none */
};

enum view_format {
    FORMAT_TABLE,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_MARKDOWN,
};

/* Where text stands. */
struct view_page {
    unsigned width; /* cells of a line; 0: lines have no edge */
    bool utf8;      /* more than ASCII may be drawn */
};

/* RFC 4180: columns with a name that are no picture, as programs want them: numbers are not
 * rounded, a share is from 0 to 1, and what is not known is nothing. heading: a first line with the
 * names. */
void view_table_csv(const struct view_table *table, bool heading, struct text *to);

/* Columns with a title that are no picture. */
void view_table_markdown(const struct view_table *table, struct text *to);

/* CSV with its heading, Markdown, or text: all rows under their headings, each column as wide as
 * its widest cell. What is wider than width cells (0: no limit) does without columns that may be
 * left out, and then cuts the last one. Unsafe characters are as text_cell() shows them. */
void view_table_write(const struct view_table *table, enum view_format format, unsigned width,
                      struct text *to);

/* One object a row; what is not known is null. NULL: no memory. */
json_t *view_table_json(const struct view_table *table);

#endif
