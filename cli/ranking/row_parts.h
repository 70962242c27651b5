/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a profile with their hits, without what is worked out from these. */
#ifndef RANKING_ROW_PARTS_H
#define RANKING_ROW_PARTS_H

#include <ranking/rows.h>

#include "row_naming.h"

struct parts {
    enum view_by by;
    bool exceptions;       /* as in struct naming */
    struct view_row *rows; /* the caller frees them */
    size_t count, capacity;
    uint64_t ignored, ignored_recent; /* hits that are left out */
};

/* Compares two rows by what makes them the same row; for qsort(). */
typedef int (*parts_order)(const void *, const void *);

/* Adds the rows of a profile, each once, in that order. stacks: of its call stacks, each function
 * with the hits of those that it calls. Returns false if memory runs out. */
bool parts_make(struct naming *naming, const struct profile *profile, bool stacks,
                struct parts *parts) __attribute__((warn_unused_result));

/* The order of the rows. */
parts_order parts_order_of(const struct parts *parts);

#endif
