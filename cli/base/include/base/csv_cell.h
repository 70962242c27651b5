/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of comma-separated values. */
#ifndef BASE_CSV_CELL_H
#define BASE_CSV_CELL_H

#include <stdbool.h>
#include <stddef.h>

/* Where csv_cell() writes to. */
struct csv_sink {
    void *context;
    void (*put)(void *context, const char *bytes, size_t len);
};

/* Whether a spreadsheet may take a cell that begins so for a formula: with '=', '+', '-', '@',
 * their full-width forms, a tab or a carriage return. */
bool csv_begins_formula(const char *text);

/*
 * Writes one cell of comma-separated values, quoted as RFC 4180 says. What begins as
 * a formula and is no plain number gets an apostrophe in front, so that it is text. Characters that
 * are not shown as they are become what utf8_shown() says.
 */
void csv_cell(const struct csv_sink *sink, const char *text);

#endif
