/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols that may name functions, and which of them do. */
#ifndef SYMBOL_CANDIDATES_H
#define SYMBOL_CANDIDATES_H

#include <names/functions.h>

/* What makes a name a worse one, from the weightiest on: it is a label's, local, weak, without a
 * size, not the one in the debug information, or begins with an underscore. */
enum {
    RANK_LABEL = 1 << 5,
    RANK_LOCAL = 2 << 3,
    RANK_WEAK = 1 << 3,
    RANK_UNSIZED = 1 << 2,
    RANK_NOT_DEBUG = 1 << 1,
    RANK_UNDERSCORE = 1 << 0,
};

/* A symbol that may name code; rank is lower for a better name. */
struct candidate {
    uint64_t addr, size;
    uint64_t limit; /* end of its section */
    const char *name;
    const char *goal; /* what it leads to, NULL: it leads nowhere else */
    const char *mark; /* is put after that; NULL if goal is */
    unsigned rank;
    bool is_label; /* NOTYPE: a function only where no other one is */
};

struct candidates {
    struct candidate *list;
    size_t count, capacity;
    uint64_t *starts; /* of all symbols, whatever they name: what ends a function without size */
    size_t start_count;
    const char **names; /* of all symbols that name something */
    size_t name_count;
    struct budget *budget; /* the image's for symbols */
};

/*
 * Leaves one candidate at an address, the best, each with a size, ordered by address; veneers
 * get a goal.
 */
void candidates_choose(struct candidates *candidates, const struct debug_names *debug);

#endif
