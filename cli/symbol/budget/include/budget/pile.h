/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing array. */
#ifndef SYMBOL_PILE_H
#define SYMBOL_PILE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <budget/budget.h>

struct pile {
    void *items;
    size_t count, capacity;
    struct budget *budget; /* that its memory is taken from; NULL: none */
    uint64_t taken;
};

/* Makes room for count more items of that size. */
bool pile_grow(struct pile *pile, size_t count, size_t size);

/* Appends count items of that size. false: no memory, or none left in the budget, and nothing is
 * changed. */
static inline bool pile_add(struct pile *pile, const void *items, size_t count, size_t size)
{
    if (count > pile->capacity - pile->count && !pile_grow(pile, count, size))
        return false;
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
    if (pile->budget)
        budget_give(pile->budget, pile->taken);
    *pile = (struct pile){.budget = pile->budget};
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
