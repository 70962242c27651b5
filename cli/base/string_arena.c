/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts small strings into large blocks. */
#include <base/string_arena.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the first block; each is twice the one before, up to the largest. */
#define BLOCK_MIN ((size_t)4096)
#define BLOCK_MAX ((size_t)65536)

struct string_block {
    struct string_block *next;
    size_t used, size;
    char bytes[];
};

static bool add_block(struct string_arena *arena, size_t needed)
{
    const struct string_block *last = arena->blocks;
    size_t size = last ? 2 * last->size : BLOCK_MIN;

    size = size > BLOCK_MAX ? BLOCK_MAX : size;
    size = size < needed ? needed : size;
    struct string_block *block = malloc(sizeof(*block) + size);
    if (!block)
        return false;
    *block = (struct string_block){.next = arena->blocks, .size = size};
    arena->blocks = block;
    return true;
}

char *string_arena_add(struct string_arena *arena, const char *bytes, size_t len)
{
    const struct string_block *last = arena->blocks;

    if ((!last || last->size - last->used <= len) && !add_block(arena, len + 1))
        return NULL;
    struct string_block *block = arena->blocks;
    char *copy = block->bytes + block->used;
    memcpy(copy, bytes, len);
    copy[len] = '\0';
    block->used += len + 1;
    return copy;
}

void string_arena_free(struct string_arena *arena)
{
    while (arena->blocks) {
        struct string_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
