/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns are data: a table of them says how a cell is got from a row, named, written and ordered.
 * Rankings, changes, trends and lists of snapshots have a table each. */
#ifndef TABLE_COLUMN_H
#define TABLE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ranking/rows.h>
#include <ranking/sparklines.h>

/* What a cell holds, which says how it is written and which row comes first. */
enum view_type {
    COLUMN_TEXT,    /* const char *, from a to z */
    COLUMN_ADDRESS, /* the lowest first */
    COLUMN_LINE,    /* unsigned, 0: not known */
    COLUMN_COUNT,   /* uint64_t, the largest first */
    COLUMN_NUMBER,  /* double, the largest first */
    COLUMN_SHARE,   /* double, 0 to 1, shown in percent, the largest first */
    COLUMN_P,       /* double, the smallest first */
    COLUMN_FLAG,    /* bool, shown as "*" */
    COLUMN_TIME,    /* int64_t, nanoseconds since 1970, 0: not known */
    COLUMN_PICTURE, /* nothing for programs, as what follows */
    COLUMN_BAR,     /* as wide as there is room */
    COLUMN_TREND,   /* a cell for some of the last seconds */
};

/* What a column may need beside the row itself. */
struct view_scale {
    double top_share;                    /* share at the right end of a bar */
    unsigned addr_size;                  /* bytes; 0: addresses have as many digits as they need */
    bool utf8;                           /* pictures may be drawn with more than ASCII */
    double time_s;                       /* of the refresh; < 0: not known */
    const struct sparklines *sparklines; /* the last minute; NULL: not known */
    const struct view_rows *of;          /* the ranking that a row is of; NULL: none */
};

/* A cell as programs want it: not rounded, not scaled. */
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
        const char *text; /* the row's, or the room below */
        double number;    /* a share is from 0 to 1 */
        uint64_t count, address;
        int64_t time_ns;
        bool flag;
    };
    char room[512];
};

/* Of flags. */
enum {
    COLUMN_SIGNED = 1,   /* a number that is shown with its sign, and may be negative */
    COLUMN_INTERVAL = 2, /* its text ends in an interval, as view_show_interval() has it */
    COLUMN_LIVE = 4,     /* what was counted once has none of it */
    COLUMN_HEAT = 8,     /* large ones have a colour on a screen */
    COLUMN_LEFT = 16,    /* a number that is followed by others: at the left end */
};

struct view_column {
    const char *name;    /* as in --fields and --sort, and in CSV; NULL: not in CSV */
    const char *key;     /* in JSON; NULL: the name */
    const char *title;   /* heading; NULL: only for programs */
    const char *brief;   /* the same where there is little room; NULL: title */
    const char *now;     /* the same on a live screen, whose new side is now; NULL: title */
    const char *help;    /* one line for the manual */
    const char *unknown; /* shown for what is not known; NULL: "-" */
    enum view_type type;
    unsigned flags;
    unsigned decimals;
    unsigned width; /* cells, 0: takes a part of what is left */
    unsigned part;  /* which part, where width is 0 */
    unsigned drop;  /* left out, 1 first, of a narrow table, or before names are cut; 0: never */
    size_t at;      /* where the row has it, as the type says (VIEW_AT()), if there is no get */
    /* Sets *value, which comes as VIEW_VALUE_NONE. scale may be NULL. */
    void (*get)(const void *row, const struct view_scale *scale, struct view_value *value);
    /* Text of one cell, width cells at most, not padded. NULL: as the type is written. */
    void (*show)(const void *row, const struct view_scale *scale, unsigned width, char *text,
                 size_t capacity);
    /* Heading that depends on the scale, in place of title; NULL: none. */
    void (*heading)(const struct view_scale *scale, unsigned width, char *text, size_t capacity);
    /* Which row comes first: negative, 0, positive. NULL: as the type is ordered. */
    int (*compare)(const void *a, const void *b);
};

/* The place of a row's member, which does not compile where that is of another type. */
#define VIEW_AT(row, member, member_type) \
    _Generic(((const row *)NULL)->member, member_type : offsetof(row, member))

/* All columns of a table: those that people choose from, and others for JSON. */
struct view_columns {
    const struct view_column *column;
    size_t count;
    const struct view_column *hidden;
    size_t hidden_count;
};

/* The column of that name among those that people choose from, or NULL. */
const struct view_column *view_column_find(const struct view_columns *of, const char *name,
                                           size_t len);

/* A cell for programs, and for people: at most width cells, not padded. */
void view_column_value(const struct view_column *column, const void *row,
                       const struct view_scale *scale, struct view_value *value);
void view_column_show(const struct view_column *column, const void *row,
                      const struct view_scale *scale, unsigned width, char *text, size_t capacity);

/* Most numbers stand at the right end of their column. */
bool view_column_is_right(const struct view_column *column);
/* Names and places are ordered from the lowest one up. */
bool view_column_is_upwards(const struct view_column *column);
/* Pictures are nothing for programs. */
bool view_column_is_picture(const struct view_column *column);

/* The cells that it is meant to have; an address has those of its size. 0: part of what is left. */
unsigned view_column_width(const struct view_column *column, const struct view_scale *scale);

/* Which row comes first by a column, negative, 0 or positive: unknown ones are last. */
int view_column_compare(const struct view_column *column, const void *a, const void *b);

/* Orders rows of size bytes each by a column, and those that it does not tell apart by then(). They
 * stay as they are where there is no memory. */
void view_sort(void *rows, size_t count, size_t size, const struct view_column *column,
               int (*then)(const void *a, const void *b));

/* For columns' own functions: "+1.20", "0.00", "-inf", "?" for what is no number. */
void view_show_signed(double number, int decimals, char *text, size_t capacity);

#define VIEW_FIELDS_MAX 32

/* The chosen columns, from left to right. */
struct view_fields {
    const struct view_column *column[VIEW_FIELDS_MAX + 1]; /* CSV puts the time before them */
    size_t count;
};

/* Takes a list like "share,function". false: *fields is untouched and text says which name is
 * unknown and which ones there are. */
bool view_fields_parse(const struct view_columns *of, const char *list, struct view_fields *fields,
                       char *text, size_t capacity) __attribute__((warn_unused_result));

/* The columns of a list of our own, which may have hidden ones. */
struct view_fields view_fields_of(const struct view_columns *of, const char *list);

/* All that people choose from. */
struct view_fields view_fields_all(const struct view_columns *of);

/* Takes out the columns with one of the flags. */
void view_fields_drop(struct view_fields *fields, unsigned flags);

#endif
