/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing array whose memory is taken from a budget. */
#ifndef SYMBOL_VEC_H
#define SYMBOL_VEC_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <budget/budget.h>

/* The array. Zeroed memory is an empty one; the caller sets budget, which must outlive it. All
 * items have the same size, which each function is given in bytes. Adding items may move them, so
 * pointers to items are valid only until then. */
struct budget_vec {
    void *items;            /* owned */
    size_t count, capacity; /* items in use, and the room for them */
    struct budget *budget;  /* NULL: no limit */
    uint64_t taken;         /* bytes taken from the budget */
};

/* Makes room for count more items. Returns false if memory runs out or the budget is spent; the
 * items are unchanged then. */
bool budget_vec_grow(struct budget_vec *vec, size_t count, size_t size);

/* Appends copies of count items, which must not be in the array. Returns false as budget_vec_grow()
 * does. */
static inline bool budget_vec_add(struct budget_vec *vec, const void *items, size_t count,
                                  size_t size)
{
    if (count > vec->capacity - vec->count && !budget_vec_grow(vec, count, size))
        return false;
    memcpy((char *)vec->items + vec->count * size, items, count * size);
    vec->count += count;
    return true;
}

/* Appends a copy of one item. Returns false as budget_vec_grow() does. */
static inline bool budget_vec_push(struct budget_vec *vec, const void *item, size_t size)
{
    return budget_vec_add(vec, item, 1, size);
}

/* Frees the items and gives their memory back to the budget. The array is empty and can be used
 * again. */
static inline void budget_vec_free(struct budget_vec *vec)
{
    free(vec->items);
    if (vec->budget)
        budget_give(vec->budget, vec->taken);
    *vec = (struct budget_vec){.budget = vec->budget};
}

/* Returns a copy of the items, which the caller frees with free(). Returns NULL if there are no
 * items or memory runs out. */
static inline void *budget_vec_copy(const struct budget_vec *vec, size_t size)
{
    void *copy = vec->count ? malloc(vec->count * size) : NULL;

    if (copy)
        memcpy(copy, vec->items, vec->count * size);
    return copy;
}

#endif
