/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines which hits are the same row, for the ranking and for all that follows its rows. */
#ifndef RANKING_ROW_KEY_H
#define RANKING_ROW_KEY_H

#include <ranking/rows.h>

/* Numbers of texts and of numbers in a key. */
#define ROW_KEY_TEXTS   3
#define ROW_KEY_NUMBERS 3

/* A text of a key. It is borrowed from the row. */
struct row_text {
    const char *at; /* NULL: no text */
    size_t len;     /* bytes; 0: up to the NUL */
};

/* What identifies a row: rows with equal keys are the same row. */
struct row_key {
    struct row_text text[ROW_KEY_TEXTS];
    uint64_t number[ROW_KEY_NUMBERS];
};

/*
 * Returns the key of a row for comparison within one build, where an address always is the same
 * place. It consists of:
 *   function, context   the start of the function
 *   inline              the same, and the chain of names
 *   arc                 the same, and the start of the caller
 *   line, file          file and line, or file; the block if the file is not known
 *   address             the block
 * With exceptions, rows by context have the number of their exception as key.
 */
struct row_key row_key_of(enum view_by by, bool exceptions, const struct view_row *row);

/*
 * Returns the key of a row for comparison of several builds: names and files instead of addresses.
 * Names are those without suffixes of the compiler, see match_name_len().
 *   function, context, inline   name and file
 *   arc                         both names, and the function's file without folders
 *   file                        the file; rows without a file have the same key
 *   line, address, exceptions   as row_key_of()
 * A row without a name is identified by its address if same_place is set, which means that
 * addresses are the same places in all builds, and the row has an address. Otherwise all such rows
 * have the same key.
 */
struct row_key row_key_across(enum view_by by, bool exceptions, bool same_place,
                              const struct view_row *row);

/*
 * Returns the key of a function in an export, where other programs match functions by name: the
 * whole name, the file, and the line where the function begins. named is false if the name is an
 * address.
 */
struct row_key row_key_of_function(const char *name, const char *file, int64_t line, bool named);

/* Compares keys like strcmp(): less than, equal to or greater than 0. */
int row_key_compare(const struct row_key *a, const struct row_key *b);

/* Returns a hash of a key. Different keys have the same hash with a chance of 2^-64. */
uint64_t row_key_hash(const struct row_key *key);

#endif
