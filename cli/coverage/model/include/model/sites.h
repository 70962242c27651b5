/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the calls of a compiler's hook in an ELF file: the places that coverage can have. */
#ifndef MODEL_SITES_H
#define MODEL_SITES_H

#include <symbol/symtab.h>

/* A call of the hook. */
struct site {
    uint64_t call, returns; /* its address, and the one after it, which the hook is told */
    uint64_t end;           /* the instructions from returns up to it are executed if the call was,
                             * and only then; returns: that is not known */
    size_t function;        /* index in symtab_functions() */
};

/* All of them. Zeroed memory is none. */
struct sites {
    struct site *all; /* count of them, owned, sorted by address */
    size_t count, capacity;
    size_t *jumps; /* functions that jump to the hook, owned: what that is told is their caller's */
    size_t jump_count, jump_capacity;
};

/* Finds the calls of any of these names; the last one is NULL. The caller frees *sites, which must
 * be zeroed, in any case. Returns false if memory runs out. Of a machine that flow_decode() does
 * not know, finds none. */
bool sites_find(const struct symtab *symtab, const char *const *hooks, struct sites *sites)
    __attribute__((warn_unused_result));
void sites_free(struct sites *sites);

/* Returns the site whose hook is told this address, which has no Thumb bit; or NULL. */
const struct site *sites_at(const struct sites *sites, uint64_t returns);

#endif
