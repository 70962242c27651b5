/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays that grow: a pointer to the items, how many there are, and for how many there is room. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for more items after the first count of them, in an array from malloc() or NULL.
 * Arrays at least double when they grow, so adding items one by one takes linear time.
 *
 * items: the array, a pointer variable of the items' type, which is set. capacity: a size_t
 * variable, the items that there is room for, which is set; 0 for NULL. more may be 0.
 * The caller sets the items and their count, and calls free(items).
 *
 * Returns false if memory runs out or the size is no size_t; then nothing has changed.
 */
#define VEC_ROOM(items, capacity, count, more) \
    vec_room(&(items), &(capacity), (count), (more), sizeof(*(items)))

/* What VEC_ROOM() calls: pointer is the address of the pointer to the items, size the bytes of one
 * item. */
bool vec_room(void *pointer, size_t *capacity, size_t count, size_t more, size_t size)
    __attribute__((warn_unused_result));

#endif
