/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns are data: one table says how each is named, sized, printed and ordered. */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include <ranking/past.h>
#include <ranking/rows.h>

/* What a column may need beside the row itself. */
struct view_scale {
    double top_share;             /* share at the right end of a bar */
    unsigned addr_size;           /* bytes */
    bool utf8;                    /* pictures may be drawn with more than ASCII */
    const struct view_past *past; /* the last minute; NULL: not known */
};

/* A cell as programs want it: not rounded, not scaled. */
struct view_value {
    enum {
        VIEW_VALUE_NONE, /* not known */
        VIEW_VALUE_TEXT,
        VIEW_VALUE_NUMBER,
        VIEW_VALUE_COUNT,
    } kind;
    const char *text; /* the row's, or the room below */
    double number;    /* a share is from 0 to 1 */
    uint64_t count;
    char room[512];
};

struct view_column {
    const char *name;  /* as in --fields and --sort */
    const char *title; /* heading */
    unsigned width;    /* cells, 0: takes a part of what is left */
    unsigned part;     /* which part, where width is 0 */
    const char *unit;  /* "%", "hits", "1/s", "" */
    const char *help;  /* one line for the manual */
    bool right;        /* aligned to the right */
    bool upwards;      /* ordered from the lowest one up */
    /* Text of one cell, width cells at most, not padded. */
    void (*format)(const struct view_row *row, const struct view_scale *scale, unsigned width,
                   char *text, size_t capacity);
    /* The cell's value; NULL: a picture has none. */
    void (*value)(const struct view_row *row, struct view_value *value);
    /* Heading that depends on the scale, in place of title; NULL: none. */
    void (*heading)(const struct view_scale *scale, unsigned width, char *text, size_t capacity);
    /* Which row comes first: negative, 0, positive. */
    int (*compare)(const struct view_row *a, const struct view_row *b);
};

/* All columns, count of them. */
const struct view_column *view_columns(size_t *count);

#define VIEW_FIELDS_MAX 16

/* The chosen columns, from left to right. */
struct view_fields {
    const struct view_column *column[VIEW_FIELDS_MAX];
    size_t count;
};

/* What is shown when --fields is not given. */
const char *view_fields_default(enum view_by by);

/* The same on a screen of so many cells. */
const char *view_fields_screen(enum view_by by, unsigned width);

/* Takes a list like "share,function". false: *fields is untouched and text says which name is
 * unknown and which ones there are. */
bool view_fields_parse(const char *list, struct view_fields *fields, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Takes a column out, where it is there. */
void view_fields_drop(struct view_fields *fields, const struct view_column *column);

/* The column of that name, or NULL. */
const struct view_column *view_column_find(const char *name, size_t len);

/* Orders rows by a column; rows that it does not tell apart by hits, then by address. */
void view_rows_sort(struct view_rows *rows, const struct view_column *column);

#endif
