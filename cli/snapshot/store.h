/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The room of a snapshot: texts that are kept once, and arrays that grow. */
#ifndef SNAPSHOT_STORE_H
#define SNAPSHOT_STORE_H

#include <base/vec.h>
#include <snapshot/dedupe.h>
#include <snapshot/snapshot.h>

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

/* GROW(s, functions, function_count, 1) */
#define GROW(s, array, counter, more) VEC_ROOM((s)->array, (s)->store->array, (s)->counter, more)

/* Writes one line into text and returns code. */
enum snapshot_code snapshot_say(char *text, size_t capacity, enum snapshot_code code,
                                const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
