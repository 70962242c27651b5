/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers where the children of entries begin, so that each is found by a binary search. */
#include "children.h"

#include <dwarf.h>
#include <stdlib.h>

#include <base/sorted.h>
#include <base/vec.h>

/* Children that are remembered: 8 MB. */
#define OFFSETS_MAX ((size_t)1 << 20)

/* An entry with DW_AT_sibling or without children costs one entry; else libdw reads all its
 * descendants, and their bytes are counted. */
bool children_step(struct children *children, Dwarf_Die *die)
{
    struct budget *budget = children->budget;
    const char *before = die->addr;
    Dwarf_Die next;
    bool led = dwarf_hasattr(die, DW_AT_sibling) || dwarf_haschildren(die) == 0;

    if (budget_is_over(budget) || dwarf_siblingof(die, &next) != 0 ||
        (const char *)next.addr <= before)
        return false;
    *die = next;
    return budget_work(budget, led ? budget->entry : (uint64_t)((const char *)next.addr - before));
}

static bool add_offset(struct children *n, Dwarf_Off offset)
{
    if (n->offset_count == OFFSETS_MAX || !VEC_ROOM(n->offsets, n->offset_room, n->offset_count, 1))
        return false;
    n->offsets[n->offset_count++] = offset;
    return true;
}

/* Reads the children of an entry into the last list, at least one. */
static bool read_children(struct children *n, Dwarf_Die *parent)
{
    Dwarf_Die child;
    size_t first = n->offset_count;
    bool good = dwarf_child(parent, &child) == 0;

    if (!good)
        return false;
    do
        good = add_offset(n, dwarf_dieoffset(&child));
    while (good && children_step(n, &child));
    if (!good) {
        n->offset_count = first;
        return false;
    }
    n->lists[n->list_count].parent = dwarf_dieoffset(parent);
    n->lists[n->list_count].first = first;
    n->lists[n->list_count++].count = n->offset_count - first;
    return true;
}

/* The number of the list, SIZE_MAX: none. When there are too many all are read again. */
static size_t list_of(struct children *n, Dwarf_Die *parent)
{
    Dwarf_Off offset = dwarf_dieoffset(parent);

    for (size_t i = 0; i < n->list_count; i++) {
        if (n->lists[i].parent == offset)
            return i;
    }
    if (n->list_count == CHILDREN_LISTS)
        n->list_count = n->offset_count = 0;
    if (read_children(n, parent))
        return n->list_count - 1;
    n->list_count = n->offset_count = 0;
    return read_children(n, parent) ? 0 : SIZE_MAX;
}

/* The last child that begins at or before goal. */
bool children_find(struct children *children, Dwarf_Die *parent, Dwarf_Off goal, Dwarf_Die *child)
{
    struct children *n = children;
    size_t list = list_of(n, parent);

    if (list == SIZE_MAX)
        return false;
    const Dwarf_Off *offsets = n->offsets + n->lists[list].first;
    size_t behind = sorted_up_to(SORTED_NUMBERS(offsets, n->lists[list].count), goal);
    return behind != 0 && dwarf_offdie(dwarf_cu_getdwarf(parent->cu), offsets[behind - 1], child);
}

void children_free(struct children *children)
{
    free(children->offsets);
    *children = (struct children){.budget = children->budget};
}

size_t children_bytes(const struct children *children)
{
    return children->offset_room * sizeof(*children->offsets);
}
