/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings that are freed together. */
#ifndef BASE_STRING_ARENA_H
#define BASE_STRING_ARENA_H

#include <stddef.h>

struct string_block;

/* Zeroed, it is empty. It may be moved. */
struct string_arena {
    struct string_block *blocks; /* the one that is filled first */
};

/* A copy of len bytes, with a NUL at its end, that stays where it is until string_arena_free().
 * NULL if memory runs out. */
char *string_arena_add(struct string_arena *arena, const char *bytes, size_t len);

/* Frees all strings; the arena is empty then. */
void string_arena_free(struct string_arena *arena);

#endif
