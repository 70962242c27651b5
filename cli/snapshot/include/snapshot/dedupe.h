/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items of arrays that are kept once. */
#ifndef SNAPSHOT_DEDUPE_H
#define SNAPSHOT_DEDUPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <snapshot/snapshot.h>

/* Finds the equal of an item that was found before. Zeroed is empty. */
struct dedupe {
    struct dedupe_slot {
        uint64_t hash;
        uint32_t item; /* plus 1, 0: free */
    } * slots;
    size_t size, count;
};

/* *before: an item that is the same as item, and was put before; SNAPSHOT_NONE: there is none, and
 * item was put. false: no memory. */
typedef bool dedupe_same(const void *context, uint32_t a, uint32_t b);
bool dedupe_put(struct dedupe *d, uint64_t hash, uint32_t item, dedupe_same *same,
                const void *context, uint32_t *before);
void dedupe_free(struct dedupe *d);

/* Of bytes, upon what was hashed so far; begin with HASH_START. */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
uint64_t hash_number(uint64_t hash, uint64_t number);

#endif
