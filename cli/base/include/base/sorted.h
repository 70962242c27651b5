/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in arrays that are sorted by a number: binary searches. */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An array as the functions below take it: items (NULL if count is 0), which are structs of that
 * type and ascend by a member, a uint64_t. */
#define SORTED_BY(items, count, type, member) (items), (count), sizeof(type), offsetof(type, member)

/* The same of plain numbers. */
#define SORTED_NUMBERS(items, count) (items), (count), sizeof(uint64_t), (size_t)0

/* How many items have a number below this one: the index of the first that has not. */
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

/* How many items have at most this number: the index behind the last that has. */
static inline size_t sorted_up_to(const void *items, size_t count, size_t size, size_t offset,
                                  uint64_t number)
{
    return number == UINT64_MAX ? count : sorted_below(items, count, size, offset, number + 1);
}

#endif
