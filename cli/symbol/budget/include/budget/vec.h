/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing array. */
#ifndef SYMBOL_PILE_H
#define SYMBOL_PILE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <budget/budget.h>

struct budget_vec {
    void *items;
    size_t count, capacity;
    struct budget *budget; /* that its memory is taken from; NULL: none */
    uint64_t taken;
};

/* Makes room for count more items of that size. */
bool budget_vec_grow(struct budget_vec *vec, size_t count, size_t size);

/* Appends count items of that size. false: no memory, or none left in the budget, and nothing is
 * changed. */
static inline bool budget_vec_add(struct budget_vec *vec, const void *items, size_t count,
                                  size_t size)
{
    if (count > vec->capacity - vec->count && !budget_vec_grow(vec, count, size))
        return false;
    memcpy((char *)vec->items + vec->count * size, items, count * size);
    vec->count += count;
    return true;
}

static inline bool budget_vec_push(struct budget_vec *vec, const void *item, size_t size)
{
    return budget_vec_add(vec, item, 1, size);
}

static inline void budget_vec_free(struct budget_vec *vec)
{
    free(vec->items);
    if (vec->budget)
        budget_give(vec->budget, vec->taken);
    *vec = (struct budget_vec){.budget = vec->budget};
}

/* Copies what is there to memory of just that size. NULL: it is empty, or no memory. */
static inline void *budget_vec_copy(const struct budget_vec *vec, size_t size)
{
    void *copy = vec->count ? malloc(vec->count * size) : NULL;

    if (copy)
        memcpy(copy, vec->items, vec->count * size);
    return copy;
}

#endif
