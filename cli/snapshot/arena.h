/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory for one small message at a time, and not more than that. */
#ifndef SNAPSHOT_ARENA_H
#define SNAPSHOT_ARENA_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>

/* A message that needs more bytes is refused. */
#define ARENA_MAX (64u << 20)

struct arena {
    ProtobufCAllocator allocator;
    struct arena_chunk *chunks; /* the largest one first */
    size_t used, total;
    bool full, no_memory;
};

/* The arena must stay where it is. */
void arena_init(struct arena *arena);
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

#endif
