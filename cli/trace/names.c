/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps names of values sorted. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

void trace_names_free(struct trace_names *names)
{
    free(names->list);
    free(names->order);
    string_arena_free(&names->texts);
    *names = (struct trace_names){.list = NULL};
}

/* Returns the number of names up to this value. */
static size_t place_of(const struct trace_names *n, uint32_t type, uint64_t value)
{
    size_t low = 0, high = n->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct trace_name *name = &n->list[n->order[middle]];
        if (name->type < type || (name->type == type && name->first <= value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct trace_name *trace_names_find(const struct trace_names *names, uint32_t type,
                                          uint64_t value)
{
    size_t place = place_of(names, type, value);
    const struct trace_name *name = place != 0 ? &names->list[names->order[place - 1]] : NULL;

    return name && name->type == type && value - name->first < name->size ? name : NULL;
}

/* Replaces the bytes of a structure by more of them. */
static bool keep_longer(struct trace_names *n, const struct trace_name *name)
{
    size_t place = place_of(n, name->type, name->first), len = strlen(name->text);
    struct trace_name *kept = &n->list[n->order[place - 1]];

    if (len <= strlen(kept->text))
        return true;
    const char *text = string_arena_add(&n->texts, name->text, len);
    if (text)
        kept->text = text;
    return text != NULL;
}

bool trace_names_add(struct trace_names *names, const struct trace_name *name)
{
    struct trace_names *n = names;

    if (n->count == TRACE_NAMES_MAX)
        return true;
    if (trace_names_find(n, name->type, name->first))
        return name->type != TRACE_CONTENT_NOW || keep_longer(n, name);
    if (!VEC_ROOM(n->list, n->capacity, n->count, 1) ||
        !VEC_ROOM(n->order, n->order_capacity, n->count, 1))
        return false;
    char *text = string_arena_add(&n->texts, name->text, strlen(name->text));
    if (!text)
        return false;
    size_t place = place_of(n, name->type, name->first);
    memmove(&n->order[place + 1], &n->order[place], (n->count - place) * sizeof(n->order[0]));
    n->order[place] = (uint32_t)n->count;
    n->list[n->count] = *name;
    n->list[n->count++].text = text;
    return true;
}
