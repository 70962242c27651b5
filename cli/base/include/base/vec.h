/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing arrays: a pointer to the items, their number, and the capacity. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for more items after the first count items. The array at least doubles when it grows,
 * so adding items one by one takes linear time.
 *
 * items is a pointer variable, NULL or from malloc(). capacity is a size_t variable, the number of
 * items that there is room for, 0 for NULL. Both may change. more may be 0. The caller owns the
 * array: it writes the new items, counts them, and frees the array with free().
 *
 * Returns false if memory runs out or the size in bytes exceeds SIZE_MAX; nothing has changed then.
 */
#define VEC_ROOM(items, capacity, count, more) \
    vec_room(&(items), &(capacity), (count), (more), sizeof(*(items)))

/* Implements VEC_ROOM(). pointer is the address of the variable items, size the bytes of an item.
 */
bool vec_room(void *pointer, size_t *capacity, size_t count, size_t more, size_t size)
    __attribute__((warn_unused_result));

#endif
