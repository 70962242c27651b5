/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocations that are all given back at once. */
#include "arena.h"

#include <stdalign.h>
#include <stdlib.h>

#define FIRST 65536

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

static bool add_chunk(struct arena *a, size_t size)
{
    size_t wanted = a->chunks ? 2 * a->chunks->size : FIRST;

    while (wanted < size)
        wanted *= 2;
    a->full = size > ARENA_MAX || wanted > ARENA_MAX - a->total;
    struct arena_chunk *chunk = a->full ? NULL : malloc(sizeof(*chunk) + wanted);
    a->no_memory = !a->full && !chunk;
    if (!chunk)
        return false;
    chunk->next = a->chunks;
    chunk->size = wanted;
    a->chunks = chunk;
    a->total += wanted;
    a->used = 0;
    return true;
}

static void *arena_alloc(void *data, size_t size)
{
    struct arena *a = data;
    size_t align = alignof(max_align_t);

    size = (size + align - 1) / align * align;
    if ((!a->chunks || a->chunks->size - a->used < size) && !add_chunk(a, size))
        return NULL;
    a->used += size;
    return a->chunks->bytes + a->used - size;
}

static void arena_give_back(void *data, void *pointer)
{
    (void)data, (void)pointer;
}

void arena_init(struct arena *arena)
{
    *arena = (struct arena){
        .allocator = {.alloc = arena_alloc, .free = arena_give_back, .allocator_data = arena}};
}

/* The largest chunk is kept for the next message. */
void arena_reset(struct arena *arena)
{
    arena->used = 0;
    arena->full = arena->no_memory = false;
    while (arena->chunks && arena->chunks->next) {
        struct arena_chunk *next = arena->chunks->next;
        arena->chunks->next = next->next;
        arena->total -= next->size;
        free(next);
    }
}

void arena_free(struct arena *arena)
{
    arena_reset(arena);
    free(arena->chunks);
    arena->chunks = NULL;
    arena->total = 0;
}
