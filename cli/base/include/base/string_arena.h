/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of strings that are freed together. */
#ifndef BASE_STRING_ARENA_H
#define BASE_STRING_ARENA_H

#include <stddef.h>

struct string_block;

/* An arena. Zeroed memory is an empty one. The struct may be copied elsewhere; its strings stay. */
struct string_arena {
    struct string_block *blocks; /* a list; strings are added to the first block */
};

/* Copies len bytes and adds a NUL. The arena owns the copy, which stays at its place until
 * string_arena_free(). Returns NULL if memory runs out. */
char *string_arena_add(struct string_arena *arena, const char *bytes, size_t len);

/* Frees all strings. The arena is empty and can be used again. */
void string_arena_free(struct string_arena *arena);

#endif
