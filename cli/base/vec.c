/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes growing arrays larger. */
#include <base/vec.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 16

static size_t at_least(size_t a, size_t b)
{
    return a > b ? a : b;
}

bool vec_room(void *pointer, size_t *capacity, size_t count, size_t more, size_t size)
{
    size_t most = SIZE_MAX / size;
    void *items;

    if (more <= *capacity - count)
        return true;
    if (more > most - count)
        return false;
    size_t doubled = *capacity > most / 2 ? most : 2 * *capacity;
    size_t wanted = at_least(count + more, at_least(doubled, CAPACITY_MIN));
    memcpy(&items, pointer, sizeof(items)); /* its type is another one than void * */
    items = wanted > most ? NULL : realloc(items, wanted * size);
    if (!items)
        return false;
    memcpy(pointer, &items, sizeof(items));
    *capacity = wanted;
    return true;
}
