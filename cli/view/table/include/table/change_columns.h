/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a diff, as data. */
#ifndef TABLE_CHANGE_COLUMNS_H
#define TABLE_CHANGE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include <ranking/change.h>
#include <table/columns.h>

/* The members are those of struct view_column. */
struct view_change_column {
    const char *name;
    const char *title;
    unsigned width;
    unsigned part;
    const char *help;
    bool right;
    /* Text of one cell, not padded. */
    void (*format)(const struct view_change *row, char *text, size_t capacity);
    /* Sets *value, which comes as VIEW_VALUE_NONE. */
    void (*value)(const struct view_change *row, struct view_value *value);
    int (*compare)(const struct view_change *a, const struct view_change *b);
};

const struct view_change_column *view_change_columns(size_t *count);

#define VIEW_CHANGE_FIELDS_MAX 32

/* The chosen columns, from left to right. */
struct view_change_fields {
    const struct view_change_column *column[VIEW_CHANGE_FIELDS_MAX];
    size_t count;
};

/* What is shown when --fields is not given: to people, on lines of so many cells, and to programs.
 */
const char *view_change_fields_default(enum view_by by, unsigned width);
#define VIEW_CHANGE_FIELDS_ALL                                                                 \
    "function,file,line,state,old_name,old_file,base_share,new_share,share_change,change,low," \
    "high,ratio,"                                                                              \
    "ratio_low,ratio_high,p,adjusted,significant,base_hits,new_hits,base_time,new_time,"       \
    "address"
#define VIEW_CHANGE_FIELDS_ALL_ARCS "caller," VIEW_CHANGE_FIELDS_ALL

/* As view_fields_parse(). */
bool view_change_fields_parse(const char *list, struct view_change_fields *fields, char *text,
                              size_t capacity) __attribute__((warn_unused_result));

/* Orders rows by a column; rows that it does not tell apart by what matters, then by name. NULL: by
 * what matters, which is significant rows by the size of their change, then the others. */
void view_changes_sort(struct view_changes *changes, const struct view_change_column *column);

/* "new", "gone", "renamed", "moved", or "". */
const char *view_change_state(const struct view_change *row);

#endif
