/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The room of a snapshot: texts that are kept once, and arrays that grow. */
#ifndef SNAPSHOT_STORE_H
#define SNAPSHOT_STORE_H

#include <base/dedupe.h>
#include <base/string_pool.h>
#include <base/vec.h>
#include <snapshot/snapshot.h>

struct snapshot_store {
    struct string_pool *texts;
    /* Items that there is room for, by the names of the arrays. */
    size_t types, mappings, functions, lines, locations, samples, values, frames, labels, comments;
    size_t runs, contexts, wanders;
};

/* An empty snapshot; NULL: no memory. */
struct snapshot *snapshot_new(void);

/* The text, kept; NULL: no memory. Ends at the first zero byte. */
const char *store_text(struct snapshot *s, const char *bytes, size_t len);
const char *store_string(struct snapshot *s, const char *string);

/* GROW(s, functions, function_count, 1) */
#define GROW(s, array, counter, more) VEC_ROOM((s)->array, (s)->store->array, (s)->counter, more)

/* Writes one line into text and returns code. */
enum snapshot_code snapshot_say(char *text, size_t capacity, enum snapshot_code code,
                                const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
