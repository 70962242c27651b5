/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits added up by address and exception, as single samples come in. */
#ifndef PROFILE_TALLY_H
#define PROFILE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tally_entry {
    uint64_t addr;
    uint32_t hits;
    uint32_t before; /* hits when the profile was last updated */
    uint32_t late;   /* of the hits, those that came late */
    uint16_t exception;
};

/* Entries stay where they are while others are added. Zeroed is empty. */
struct tally {
    struct tally_entry *entries;
    size_t count, capacity;
    uint32_t *index; /* open addressing: number of an entry plus 1, 0: free */
    size_t index_size;
};

/* Adds a hit at addr, in that exception (0: in none). false: no memory, nothing is changed. */
bool tally_add(struct tally *tally, uint64_t addr, uint16_t exception, bool late)
    __attribute__((warn_unused_result));
void tally_free(struct tally *tally);

#endif
