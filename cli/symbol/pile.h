/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing array. */
#ifndef SYMBOL_PILE_H
#define SYMBOL_PILE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct pile {
    void *items;
    size_t count, capacity;
};

/* Appends count items of that size. false: no memory, and nothing is changed. */
static inline bool pile_add(struct pile *pile, const void *items, size_t count, size_t size)
{
    if (count > pile->capacity - pile->count) {
        size_t capacity = pile->capacity ? 2 * pile->capacity : 64;
        while (capacity - pile->count < count)
            capacity *= 2;
        void *grown = realloc(pile->items, capacity * size);
        if (!grown)
            return false;
        pile->items = grown;
        pile->capacity = capacity;
    }
    memcpy((char *)pile->items + pile->count * size, items, count * size);
    pile->count += count;
    return true;
}

static inline bool pile_push(struct pile *pile, const void *item, size_t size)
{
    return pile_add(pile, item, 1, size);
}

static inline void pile_free(struct pile *pile)
{
    free(pile->items);
    *pile = (struct pile){.items = NULL};
}

/* Copies what is there to memory of just that size. NULL: it is empty, or no memory. */
static inline void *pile_copy(const struct pile *pile, size_t size)
{
    void *copy = pile->count ? malloc(pile->count * size) : NULL;

    if (copy)
        memcpy(copy, pile->items, pile->count * size);
    return copy;
}

#endif
