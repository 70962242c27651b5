/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a unit's debug information, by their code. */
#ifndef SYMBOL_SUBS_H
#define SYMBOL_SUBS_H

#include <dwarf/units.h>

/* A function, and what was inlined in it once somebody asked: see inlines.c. */
struct sub {
    Dwarf_Off entry;
    uint64_t start; /* where it is entered, UINT64_MAX: not known */
    uint8_t *body;  /* owned by it */
    size_t body_len;
    bool read; /* there is a body */
};

struct unit_subs {
    struct sub *list;
    size_t count;
    struct code_range *pieces; /* of their code, ordered by start */
    size_t piece_count;
    bool deep; /* functions inside functions are there, too */
};

/* NULL: no memory, or the budget is over. */
struct unit_subs *subs_read(const struct units *units, const struct unit *unit, bool deep);
void subs_free(struct unit_subs *subs);
size_t subs_bytes(const struct unit_subs *subs);

/* Goes over the pieces that hold addr, from the last one down. *at is piece_count for the first
 * one; NULL: no more, or the budget is over. */
const struct code_range *subs_next(const struct unit_subs *subs, struct budget *budget,
                                   uint64_t addr, size_t *at);

#endif
