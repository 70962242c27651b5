/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which hits are one row: the one answer for the ranking and all that follows its rows. */
#ifndef RANKING_ROW_KEY_H
#define RANKING_ROW_KEY_H

#include <ranking/rows.h>

/* Of one build: addresses mean the same place. Rows with equal keys are one. */
struct row_key {
    const char *text; /* NULL: none; borrowed from the row */
    uint64_t number[3];
};

/*
 * What makes the row one by that grouping:
 *   function, context   where the function begins
 *   inline              that and the chain of names
 *   arc                 that and where the caller begins
 *   line, file          the file (and line), or where that is not known the block
 *   address             the block
 * exceptions: rows by context are exceptions by their numbers, whatever is shown of their handlers.
 */
struct row_key row_key_of(enum view_by by, bool exceptions, const struct view_row *row);

/* An order of keys; 0: they are equal. */
int row_key_compare(const struct row_key *a, const struct row_key *b);

/* The key as a number; two keys have the same one by chance once in 2^64 pairs. */
uint64_t row_key_hash(const struct row_key *key);

#endif
