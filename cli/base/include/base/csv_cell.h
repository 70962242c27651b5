/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes cells of comma-separated values (CSV). */
#ifndef BASE_CSV_CELL_H
#define BASE_CSV_CELL_H

#include <stdbool.h>
#include <stddef.h>

/* The output of csv_cell(). */
struct csv_sink {
    void *context;                                             /* first argument of put */
    void (*put)(void *context, const char *bytes, size_t len); /* appends len bytes */
};

/* Whether a spreadsheet could read the text as a formula: it starts with '=', '+', '-', '@', one of
 * their full-width forms, a tab or a carriage return. */
bool csv_begins_formula(const char *text);

/*
 * Writes one cell, quoted as in RFC 4180 if it must be. A text that starts like a formula and is
 * not a number gets an apostrophe in front, so that a spreadsheet shows it as text. Control
 * characters and hidden characters are replaced as in utf8_shown(). The separator is the caller's.
 */
void csv_cell(const struct csv_sink *sink, const char *text);

#endif
