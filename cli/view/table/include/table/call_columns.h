/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a trace: a row for each function, with its calls and their durations. */
#ifndef TABLE_CALL_COLUMNS_H
#define TABLE_CALL_COLUMNS_H

#include <table/table.h>
#include <trace/calls.h>

/* All columns. A row is a struct trace_call_row. */
extern const struct view_columns view_call_columns;

/* A report. All is borrowed. */
struct view_calls {
    struct trace_call_row *rows; /* their order is changed */
    size_t count;
    struct trace_calls_state state;
    const char *file, *elf, *build;   /* the trace file, and what it is of */
    const struct view_column *sort;   /* NULL: by total, or by calls if no duration is known */
    const struct view_fields *fields; /* NULL: all that have a value */
    size_t limit;                     /* rows, 0: all */
    bool contexts;                    /* rows are of contexts */
};

/* Sorts the rows, and returns the report as text without the newline of JSON, which the caller
 * frees with free(). page is for tables, and may be NULL for other formats. Returns NULL if memory
 * runs out. */
char *view_calls(const struct view_calls *calls, enum view_format format,
                 const struct view_page *page);

#endif
