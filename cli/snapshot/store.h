/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The room of a snapshot: texts that are kept once, and arrays that grow. */
#ifndef SNAPSHOT_STORE_H
#define SNAPSHOT_STORE_H

#include <snapshot/snapshot.h>

/* Finds the equal of an item that was found before. Zeroed is empty. */
struct dedupe {
    struct dedupe_slot {
        uint64_t hash;
        uint32_t item; /* plus 1, 0: free */
    } * slots;
    size_t size, count;
};

struct snapshot_store {
    struct text_chunk *chunks;
    const char **texts; /* all, by their numbers */
    size_t text_count, text_capacity;
    struct dedupe known;
    size_t types, mappings, functions, lines, locations, samples, values, frames, labels, comments;
};

/* An empty snapshot; NULL: no memory. */
struct snapshot *snapshot_new(void);

/* The text, kept; NULL: no memory. Ends at the first zero byte. */
const char *store_text(struct snapshot *s, const char *bytes, size_t len);
/* Its number: texts count up from 0, which is "". SNAPSHOT_NONE: no memory. */
uint32_t store_number(struct snapshot *s, const char *bytes, size_t len);
const char *store_string(struct snapshot *s, const char *string);

/* Room for more items behind count of them. false: no memory, nothing is changed. */
bool store_grow(void **items, size_t *capacity, size_t count, size_t more, size_t size);

/* GROW(s, functions, function_count, 1) */
#define GROW(s, array, counter, more) \
    store_grow((void **)&(s)->array, &(s)->store->array, (s)->counter, more, sizeof(*(s)->array))

/* An item that is the same as item, and was put before; SNAPSHOT_NONE: there is none, and item was
 * put. false: no memory. */
typedef bool dedupe_same(const void *context, uint32_t a, uint32_t b);
bool dedupe_put(struct dedupe *d, uint64_t hash, uint32_t item, dedupe_same *same,
                const void *context, uint32_t *before);
void dedupe_free(struct dedupe *d);

/* Of bytes, upon what was hashed so far; begin with HASH_START. */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
uint64_t hash_number(uint64_t hash, uint64_t number);

/* Writes one line into text and returns code. */
enum snapshot_code snapshot_say(char *text, size_t capacity, enum snapshot_code code,
                                const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
