/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two builds of a program, hits in them, and by each grouping which of these are one row. Each hit
 * count is a power of two: a row's hits say which blocks are in it. */
#ifndef ROW_KEY_CHECKS_H
#define ROW_KEY_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ranking/rows.h>

#include "fake_names.h"

#define BLOCKS   9
#define ALL_HITS 511

#define NAMED 4 /* functions with a name */

struct build {
    uint64_t base;
    struct symtab_function functions[NAMED];
    struct fake_names names;
};

/* The moved build has the same functions elsewhere, one of them as the compiler made it this
 * time. */
extern const struct build first_build, moved_build;

struct symbol_naming naming_of(const struct build *b);

struct counted {
    struct profile profile;
    struct profile_hit hits[BLOCKS];
};

/* Rows block by block, without hits; the first block has two, of two callers, the second of them in
 * an interrupt. */
void init_counted(struct counted *c, const struct build *b, bool exceptions);

/* All hits at once, within a second. */
void hit_all_rows(struct counted *c);

/* The ranking of these hits. The caller frees it with view_rows_free(). */
struct view_rows ranking_of(const struct counted *c, const struct build *b, enum view_by by);

/* A grouping, the hits of its rows, and those of its rows in a diff if they are others. */
struct grouping {
    const char *name;
    enum view_by by;
    bool exceptions;
    uint64_t rows[BLOCKS], diff[BLOCKS]; /* up to a 0 */
    uint64_t across[BLOCKS];             /* of rows that another build has, too */
};

#define GROUPINGS 8
extern const struct grouping groupings[GROUPINGS]; /* by function comes first */

/* How many hits are in the list, and that these are among them. */
size_t length_of(const uint64_t *hits);
void check_has(const struct grouping *g, const uint64_t *wanted, uint64_t hits);

#endif
