/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a growing array larger, as far as its budget goes. */
#include <budget/vec.h>

bool budget_vec_grow(struct budget_vec *vec, size_t count, size_t size)
{
    size_t capacity = vec->capacity ? 2 * vec->capacity : 64;

    while (capacity - vec->count < count)
        capacity *= 2;
    uint64_t more = (uint64_t)capacity * size - vec->taken;
    if (vec->budget && !budget_take(vec->budget, more))
        return false;
    vec->taken += more;
    void *grown = realloc(vec->items, capacity * size);
    if (!grown)
        return false;
    vec->items = grown;
    vec->capacity = capacity;
    return true;
}
