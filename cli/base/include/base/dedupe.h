/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the equal of an item of an array, so that each is kept once. */
#ifndef BASE_DEDUPE_H
#define BASE_DEDUPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash table of items by their numbers. Zeroed, it is empty. */
struct dedupe {
    struct dedupe_slot {
        uint64_t hash;
        uint32_t item; /* plus 1, 0: free */
    } * slots;
    size_t size, count;
};

/* No item. */
#define DEDUPE_NONE UINT32_MAX

/* Whether the item a, which was put, equals the item b, which is looked for. */
typedef bool dedupe_same(const void *context, uint32_t a, uint32_t b);

/* Sets *before to the item that was put and equals item; DEDUPE_NONE if there is none, and puts
 * item. Returns false if memory runs out. */
bool dedupe_put(struct dedupe *d, uint64_t hash, uint32_t item, dedupe_same *same,
                const void *context, uint32_t *before);
void dedupe_free(struct dedupe *d);

/* The hash of what was hashed so far and of more bytes, or of a number; begin with HASH_START. */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
uint64_t hash_number(uint64_t hash, uint64_t number);

#endif
