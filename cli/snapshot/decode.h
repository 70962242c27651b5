/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Taking over a pprof profile part by part: every number that leads to another part is checked. */
#ifndef SNAPSHOT_DECODE_H
#define SNAPSHOT_DECODE_H

#include "arena.h"
#include "ids.h"
#include "store.h"
#include "wire.h"

/* The most that is accepted: sample types; functions, locations, mappings or texts; comments. */
#define DECODE_TYPES     64
#define DECODE_PARTS_MAX (4u << 20)
#define DECODE_COMMENTS  10000

struct decoder {
    struct snapshot *s;
    struct arena arena;
    const char **texts; /* of the string table, "" at least */
    size_t text_count, texts_room;
    struct ids mappings, functions, locations;
    size_t counts[WIRE_DEFAULT_SAMPLE_TYPE + 1]; /* how often each field is there */
    size_t comments;                             /* that were taken */
    const char *name;
    char *text;
    size_t capacity;
    enum snapshot_code code;
};

/* Both say it in text, and return false. */
bool decode_fail(struct decoder *d, const char *what, size_t index, const char *field,
                 const char *why);
bool decode_no_memory(struct decoder *d);

/* The text of that number; of a part (what, index) and its field. */
bool decode_text(struct decoder *d, int64_t number, const char **to, const char *what, size_t index,
                 const char *field);

/* One part each, once what it leads to is there: true: taken. */
bool decode_type(struct decoder *d, const struct wire_item *item);
bool decode_mapping(struct decoder *d, const struct wire_item *item);
bool decode_function(struct decoder *d, const struct wire_item *item);
bool decode_location(struct decoder *d, const struct wire_item *item);
bool decode_sample(struct decoder *d, const struct wire_item *item);

#endif
