/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a growing array larger, as far as its budget goes. */
#include <budget/pile.h>

bool pile_grow(struct pile *pile, size_t count, size_t size)
{
    size_t capacity = pile->capacity ? 2 * pile->capacity : 64;

    while (capacity - pile->count < count)
        capacity *= 2;
    uint64_t more = (uint64_t)capacity * size - pile->taken;
    if (pile->budget && !budget_take(pile->budget, more))
        return false;
    pile->taken += more;
    void *grown = realloc(pile->items, capacity * size);
    if (!grown)
        return false;
    pile->items = grown;
    pile->capacity = capacity;
    return true;
}
