/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts single samples by address and exception. */
#ifndef PROFILE_TALLY_H
#define PROFILE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The samples of one address in one exception. */
struct tally_entry {
    uint64_t addr;
    uint32_t hits;
    uint32_t before;    /* hits when the profile was last updated */
    uint32_t late;      /* samples among the hits that came late */
    uint16_t exception; /* its number, 0: none */
};

/* The counts. Zeroed memory is empty. An entry keeps its index when others are added. */
struct tally {
    struct tally_entry *entries; /* owned */
    size_t count, capacity;      /* entries in use, and the room for them */
    uint32_t *index;             /* hash table, owned: index of an entry plus 1, 0: free */
    size_t index_size;           /* its slots, 0 or a power of two */
};

/* Counts a sample at addr in an exception (0: none). Returns false if memory runs out; the counts
 * are unchanged then. */
bool tally_add(struct tally *tally, uint64_t addr, uint16_t exception, bool late)
    __attribute__((warn_unused_result));

/* Frees all entries; the tally is empty and can be used again. */
void tally_free(struct tally *tally);

#endif
