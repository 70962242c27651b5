/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which hits are one row: the one answer for the ranking and all that follows its rows. */
#ifndef RANKING_ROW_KEY_H
#define RANKING_ROW_KEY_H

#include <ranking/rows.h>

#define ROW_KEY_TEXTS   3
#define ROW_KEY_NUMBERS 3

/* Borrowed from the row. */
struct row_text {
    const char *at; /* NULL: none */
    size_t len;     /* bytes; 0: all up to its NUL */
};

/* Rows with equal keys are one. */
struct row_key {
    struct row_text text[ROW_KEY_TEXTS];
    uint64_t number[ROW_KEY_NUMBERS];
};

/*
 * What makes the row one by that grouping, in one build, where an address always means the same
 * place:
 *   function, context   where the function begins
 *   inline              that and the chain of names
 *   arc                 that and where the caller begins
 *   line, file          the file (and line), or where that is not known the block
 *   address             the block
 * exceptions: rows by context are exceptions by their numbers, whatever is shown of their handlers.
 */
struct row_key row_key_of(enum view_by by, bool exceptions, const struct view_row *row);

/*
 * The same for rows of several builds: names and files take the place of addresses. Names count
 * without what the compiler added (match_name_len()).
 *   function, context, inline   name and file
 *   arc                         both names, and the function's file without its folder
 *   file                        the file; all that has none is one row
 *   line, address, exceptions   as row_key_of()
 * What has no name is known by its address if same_place says that addresses mean the same place in
 * all builds and the row has an address; otherwise all of it is one row.
 */
struct row_key row_key_across(enum view_by by, bool exceptions, bool same_place,
                              const struct view_row *row);

/*
 * The same for functions of exports, which other programs match by name: the whole name, with what
 * the compiler added, and the file and line at which it begins. named: the name is no address.
 */
struct row_key row_key_of_function(const char *name, const char *file, int64_t line, bool named);

/* An order of keys; 0: they are equal. */
int row_key_compare(const struct row_key *a, const struct row_key *b);

/* The key as a number; two keys have the same one by chance once in 2^64 pairs. */
uint64_t row_key_hash(const struct row_key *key);

#endif
