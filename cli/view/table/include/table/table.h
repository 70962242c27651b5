/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes rows in columns as text, CSV, Markdown or JSON. */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include <jansson.h>

#include <base/text.h>
#include <table/column.h>

/* A table. All is borrowed for a call. */
struct view_table {
    const struct view_fields *fields; /* the columns */
    const void *rows;                 /* count of them, of the type that the columns expect */
    size_t size;                      /* bytes of a row */
    size_t count;
    const struct view_scale *scale; /* NULL: the columns need none */
};

/* The formats: --format. */
enum view_format {
    FORMAT_TABLE,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_MARKDOWN,
};

/* The page on which text is shown. */
struct view_page {
    unsigned width; /* cells of a line; 0: no limit */
    bool utf8;      /* text may have more than ASCII */
};

/* Appends CSV (RFC 4180) to a text: all columns with a name, except for pictures. Numbers are not
 * rounded, a share is 0 to 1, and what is not known is empty. With heading, the first line has the
 * names. */
void view_table_csv(const struct view_table *table, bool heading, struct text *to);

/* Appends Markdown to a text: all columns with a title, except for pictures. */
void view_table_markdown(const struct view_table *table, struct text *to);

/* Appends CSV, Markdown or text, but not JSON. In text each column is as wide as its widest cell.
 * If a line is wider than width cells (0: no limit), columns that may be missing are left out, and
 * then the last one is cut. Cells are written as text_cell() does. */
void view_table_write(const struct view_table *table, enum view_format format, unsigned width,
                      struct text *to);

/* Returns an array with an object for each row; what is not known is null. The caller owns it.
 * Returns NULL if memory runs out. */
json_t *view_table_json(const struct view_table *table);

#endif
