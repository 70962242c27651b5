/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row that an address belongs to: its function, line, chain of inlined functions, caller. */
#ifndef RANKING_ROW_NAMING_H
#define RANKING_ROW_NAMING_H

#include <base/string_pool.h>
#include <profile/profile.h>
#include <ranking/rows.h>

struct naming {
    struct symbol_naming names;
    enum view_by by;
    const struct view_ignore *ignore; /* NULL: nothing */
    struct string_pool *made;         /* by inline: names of chains */
    bool exceptions;                  /* rows are exceptions */
};

bool naming_is_by_function(enum view_by by);

/* The row of the instruction at addr, in the block that starts at block. */
struct view_row naming_row(struct naming *n, uint64_t block, uint64_t addr);
/* By arc: sets the row's caller. */
void naming_caller(const struct naming *n, uint64_t caller, struct view_row *row);

/* Sets where in the source the instruction at addr, or the row's function, stands; leaves a row
 * alone of which that is not known. */
void naming_line(struct naming *n, uint64_t addr, struct view_row *row);
void naming_start(struct naming *n, struct view_row *row);

/* Whether the row has the name that such rows go by. */
bool naming_is_named(const struct naming *n, const struct view_row *row);

/* Whether a row at addr is left out; whether one context is asked for, and the hit is of another.
 */
bool naming_ignores(struct naming *n, uint64_t addr, const struct view_row *row);
bool naming_ignores_context(const struct naming *n, const struct profile_hit *hit);

/* For how many bytes from addr on the instructions are of one row; ranges that are left out
 * count. */
uint64_t naming_same(const struct naming *n, uint64_t addr);

#endif
