/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptions of columns: how a cell is computed from a row, named, printed and sorted. Rankings,
 * changes, trends and lists of snapshots have an array of them each. */
#ifndef TABLE_COLUMN_H
#define TABLE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ranking/rows.h>
#include <ranking/sparklines.h>

/* Type of a column: the C type of the row's member, how it is printed, and which row is first if
 * rows are sorted by it. Rows with a value that is not known are last. */
enum view_type {
    COLUMN_TEXT,    /* const char *, NULL or "": not known; in the order of strcmp() */
    COLUMN_ADDRESS, /* printed in hexadecimal; lowest first; needs get() */
    COLUMN_LINE,    /* unsigned, 0: not known; lowest first */
    COLUMN_COUNT,   /* uint64_t; largest first */
    COLUMN_NUMBER,  /* double; largest first; not known: < 0 (but see COLUMN_SIGNED) or no number */
    COLUMN_SHARE,   /* the same, 0 to 1, printed in percent */
    COLUMN_P,       /* double, a probability; smallest first */
    COLUMN_FLAG,    /* bool, printed as "*" or nothing; true first */
    COLUMN_TIME,    /* int64_t, nanoseconds since 1970 (UTC), 0: not known; latest first */
    COLUMN_PICTURE, /* text for people only, by show(); not in CSV, as those below */
    COLUMN_BAR,     /* a bar as long as the share, as wide as there is room */
    COLUMN_TREND,   /* a sparkline of the last seconds */
};

/* What the cells of all rows need in addition to their row. All is borrowed. */
struct view_scale {
    double top_share;   /* share at the right end of a bar */
    unsigned addr_size; /* bytes; 0: addresses have as many digits as they need */
    bool utf8;          /* pictures may have characters other than ASCII */
    double time_s;      /* of the refresh, as in struct view_status; < 0: not known */
    const struct sparklines *sparklines; /* the last minute; NULL: not known */
    const struct view_rows *of;          /* the ranking that a row is of; NULL: none */
};

/* The value of a cell for CSV and JSON: not rounded, a share from 0 to 1. kind says which member of
 * the union is set. */
struct view_value {
    enum {
        VIEW_VALUE_NONE, /* not known */
        VIEW_VALUE_TEXT,
        VIEW_VALUE_NUMBER,
        VIEW_VALUE_COUNT,
        VIEW_VALUE_ADDRESS,
        VIEW_VALUE_FLAG,
        VIEW_VALUE_TIME,
    } kind;
    union {
        const char *text; /* borrowed from the row, or in room */
        double number;    /* a share is from 0 to 1 */
        uint64_t count, address;
        int64_t time_ns;
        bool flag;
    };
    char room[512]; /* for a text that get() makes */
};

/* Bits of flags. */
enum {
    COLUMN_SIGNED = 1,   /* a number that may be negative; printed with its sign */
    COLUMN_INTERVAL = 2, /* its text ends in an interval, as view_show_interval() prints it */
    COLUMN_LIVE = 4,     /* only for verbs that refresh: the value is of the last refresh */
    COLUMN_HEAT = 8,     /* large numbers have a colour on a screen */
    COLUMN_LEFT = 16,    /* a number that stands at the left end of its column */
};

/* A column. All strings are constants. */
struct view_column {
    const char *name;    /* as in --fields and --sort, and in CSV; NULL: not in CSV */
    const char *key;     /* in JSON; NULL: the name */
    const char *title;   /* heading; NULL: not in tables for people */
    const char *brief;   /* the heading if there is little room; NULL: title */
    const char *now;     /* the heading on a live screen, where the new side is now; NULL: title */
    const char *help;    /* one line for the manual */
    const char *unknown; /* printed if the value is not known; NULL: "-" */
    enum view_type type;
    unsigned flags;    /* COLUMN_SIGNED and so on, combined with | */
    unsigned decimals; /* digits after the point */
    unsigned width;    /* cells; 0: the column gets a part of the cells that are left */
    unsigned part;     /* that part, relative to those of other such columns */
    unsigned drop; /* order in which a table that is too wide loses columns, 1 first; 0: never */
    size_t at;     /* offset of the member in the row (VIEW_AT()), if get is NULL */
    /* Sets *value, which is VIEW_VALUE_NONE before. scale may be NULL. NULL: the member at offset
     * at is the value. */
    void (*get)(const void *row, const struct view_scale *scale, struct view_value *value);
    /* Writes the text of a cell, at most width cells, not padded. NULL: as type says. */
    void (*show)(const void *row, const struct view_scale *scale, unsigned width, char *text,
                 size_t capacity);
    /* Writes a heading that depends on the scale, at most width cells. NULL: title is used. */
    void (*heading)(const struct view_scale *scale, unsigned width, char *text, size_t capacity);
    /* Compares two rows: negative if a is first, 0, or positive. NULL: as type says. */
    int (*compare)(const void *a, const void *b);
};

/* The offset of a member of a row. A member of another type than member_type does not compile. */
#define VIEW_AT(row, member, member_type) \
    _Generic(((const row *)NULL)->member, member_type : offsetof(row, member))

/* All columns of one kind of table. */
struct view_columns {
    const struct view_column *column; /* count of them, which --fields and --sort may name */
    size_t count;
    const struct view_column *hidden; /* hidden_count of them, which only the program uses */
    size_t hidden_count;
};

/* Returns the column with this name of len bytes, which --fields may name, or NULL. */
const struct view_column *view_column_find(const struct view_columns *of, const char *name,
                                           size_t len);

/* Sets *value to the value of a cell. scale may be NULL. *value may refer to the row. */
void view_column_value(const struct view_column *column, const void *row,
                       const struct view_scale *scale, struct view_value *value);

/* Writes a cell as people read it, not padded, cut to capacity bytes. scale may be NULL if the
 * column has no show(). Only show() keeps to width. */
void view_column_show(const struct view_column *column, const void *row,
                      const struct view_scale *scale, unsigned width, char *text, size_t capacity);

/* Whether cells stand at the right end of the column, as most numbers do. */
bool view_column_is_right(const struct view_column *column);

/* Whether the lowest value is first: texts, addresses and lines. */
bool view_column_is_upwards(const struct view_column *column);

/* Whether the column has no value for programs: pictures, bars, trends. */
bool view_column_is_picture(const struct view_column *column);

/* Returns the width in cells. An address has two digits for each of scale->addr_size bytes. 0: the
 * column gets a part of the cells that are left. scale may be NULL. */
unsigned view_column_width(const struct view_column *column, const struct view_scale *scale);

/* Compares two rows by a column: negative if a is first, 0, or positive. A value that is not known
 * is last. */
int view_column_compare(const struct view_column *column, const void *a, const void *b);

/* Sorts count rows of size bytes each by a column, and rows that are equal in it by then(), which
 * returns as strcmp() does. If memory runs out the rows keep their order. */
void view_sort(void *rows, size_t count, size_t size, const struct view_column *column,
               int (*then)(const void *a, const void *b));

/* Writes a number with its sign: "+1.20", "0.00" if it rounds to 0, "inf", "-inf", "?" for NaN. For
 * the functions of columns. */
void view_show_signed(double number, int decimals, char *text, size_t capacity);

/* Largest number of columns of a table. */
#define VIEW_FIELDS_MAX 40

/* The chosen columns, from left to right. */
struct view_fields {
    const struct view_column *column[VIEW_FIELDS_MAX + 1]; /* CSV puts the time before them */
    size_t count;
};

/* Parses a list like "share,function". The columns are borrowed from *of. Returns false if a name
 * is unknown or there are too many; *fields is unchanged then, and text says why. */
bool view_fields_parse(const struct view_columns *of, const char *list, struct view_fields *fields,
                       char *text, size_t capacity) __attribute__((warn_unused_result));

/* Parses a list that the program has as a constant, with at most VIEW_FIELDS_MAX columns; hidden
 * ones are allowed. An unknown name ends the program. */
struct view_fields view_fields_of(const struct view_columns *of, const char *list);

/* Returns all columns that --fields may name. */
struct view_fields view_fields_all(const struct view_columns *of);

/* Removes the columns that have one of these flags. */
void view_fields_drop(struct view_fields *fields, unsigned flags);

#endif
