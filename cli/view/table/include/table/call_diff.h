/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two traces compared: a row for each function, with its calls and durations on both sides. */
#ifndef TABLE_CALL_DIFF_H
#define TABLE_CALL_DIFF_H

#include <table/table.h>
#include <trace/call_diff.h>

/* All columns. The figures of both sides are sorted by how much they changed. */
extern const struct view_columns view_call_diff_columns;

/* A comparison. All is borrowed. */
struct view_call_diff {
    const struct trace_side *sides; /* TRACE_SIDES of them */
    const char *files[TRACE_SIDES]; /* paths of the trace files */
    const char *elves[TRACE_SIDES]; /* what they are of, "": not known */
    const char *builds[TRACE_SIDES];
    const struct trace_diff_row *rows; /* count of them */
    size_t count;
    size_t limit;                     /* rows, 0: all */
    const struct view_column *sort;   /* NULL: in the order of rows */
    const struct view_fields *fields; /* NULL: all that have a value */
};

/* What is compared of a function. */
enum view_call_value {
    CALL_VALUE_CALLS, /* a second, if the length of the recording is known */
    CALL_VALUE_TOTAL, /* the same of times */
    CALL_VALUE_SELF,
    CALL_VALUE_MEDIAN,
    CALL_VALUE_P99,
    CALL_VALUE_MAX,
    CALL_VALUE_AVG,
    CALL_VALUES,
};

/* Returns a value of a function on one side; of one that was not called, calls and times are 0. <
 * 0: not known. */
double view_call_value(const struct view_call_diff *diff, const struct trace_diff_row *row,
                       enum trace_side_index side, enum view_call_value value);

/* Whether the value has a known unit, so that a number can be its limit: of times seconds; calls
 * and sums of times are of a second, if the length of both recordings is known. */
bool view_call_value_has_unit(const struct view_call_diff *diff, enum view_call_value value);

/* Writes the value as people read it, with its unit. */
void view_call_value_show(const struct view_call_diff *diff, enum view_call_value value,
                          double number, char *text, size_t capacity);

/* Returns the comparison as text, without the newline of JSON, which the caller frees with free().
 * page is for tables, and may be NULL for other formats. Returns NULL if memory runs out. */
char *view_call_diff(const struct view_call_diff *diff, enum view_format format,
                     const struct view_page *page);

#endif
