/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage by function, as rows of a table. */
#ifndef COVERAGE_ROWS_H
#define COVERAGE_ROWS_H

#include <model/coverage.h>
#include <table/column.h>

/* A function with the lines of the source up to the next one; or lines that are of none. */
struct coverage_row {
    const char *name, *file; /* NULL: not known */
    unsigned line;
    uint64_t count;
    uint64_t lines, lines_reached;
    uint64_t blocks, blocks_reached;
    double share;  /* of the lines, of a function without lines 0 or 1; < 0: not known */
    char *missing; /* owned; lines that were not reached, like "12-14,20"; NULL: none */
};

/* All rows, those with the most lines that were not reached first. */
struct coverage_rows {
    struct coverage_row *all; /* count of them, owned */
    size_t count, capacity;
};

/* Makes the rows of a coverage, which must live as long. The caller calls coverage_rows_free() in
 * any case. only_missing: without those of which all was reached. Returns false if memory runs out.
 */
bool coverage_rows_make(const struct coverage *coverage, bool only_missing,
                        struct coverage_rows *rows) __attribute__((warn_unused_result));
void coverage_rows_free(struct coverage_rows *rows);

/* The columns. */
extern const struct view_columns coverage_columns;

#endif
