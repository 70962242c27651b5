/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table that finds equal items of an array, so that the array keeps each item once. */
#ifndef BASE_DEDUPE_H
#define BASE_DEDUPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The table; it holds indexes of items and not the items. Zeroed memory is an empty table. */
struct dedupe {
    struct dedupe_slot {
        uint64_t hash;
        uint32_t item; /* index of the item, plus 1; 0: the slot is free */
    } * slots;         /* owned */
    size_t size;       /* slots, 0 or a power of two */
    size_t count;      /* slots in use */
};

/* The index of no item. */
#define DEDUPE_NONE UINT32_MAX

/* Tells whether item a, which is in the table, equals item b, which is searched. context is that of
 * dedupe_put(). */
typedef bool dedupe_same(const void *context, uint32_t a, uint32_t b);

/* Searches for an item that equals item, an index below DEDUPE_NONE. hash is that of the item's
 * contents: equal items have equal hashes. Sets *before to the index that was found. If there is
 * none, adds item and sets *before to DEDUPE_NONE. Returns false if memory runs out; the table is
 * then unchanged. */
bool dedupe_put(struct dedupe *d, uint64_t hash, uint32_t item, dedupe_same *same,
                const void *context, uint32_t *before);

/* Frees the slots; the table is empty and can be used again. */
void dedupe_free(struct dedupe *d);

/* Return a hash of bytes or of a number, combined with an earlier hash. Start with HASH_START. */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
uint64_t hash_number(uint64_t hash, uint64_t number);

#endif
