/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary searches in arrays that are sorted by a number. */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first four arguments of the functions below, for an array of count structs of a type, sorted
 * by a member of type uint64_t, smallest first; equal numbers may repeat. items may be NULL if
 * count is 0. The order is not checked: if it is wrong, the results are meaningless, but nothing
 * outside the array is read. */
#define SORTED_BY(items, count, type, member) (items), (count), sizeof(type), offsetof(type, member)

/* The same for an array of count uint64_t, smallest first. */
#define SORTED_NUMBERS(items, count) (items), (count), sizeof(uint64_t), (size_t)0

/* Returns how many items have a number below number: the index of the first item whose number is
 * not below it, count if there is none. size is bytes of an item, offset that of its number. */
static inline size_t sorted_below(const void *items, size_t count, size_t size, size_t offset,
                                  uint64_t number)
{
    size_t low = 0;

    while (low < count) {
        uint64_t found;
        size_t middle = low + (count - low) / 2;
        memcpy(&found, (const char *)items + middle * size + offset, sizeof(found));
        if (found < number)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Returns how many items have at most this number: the index of the first item whose number is
 * above it, count if there is none. */
static inline size_t sorted_up_to(const void *items, size_t count, size_t size, size_t offset,
                                  uint64_t number)
{
    return number == UINT64_MAX ? count : sorted_below(items, count, size, offset, number + 1);
}

#endif
