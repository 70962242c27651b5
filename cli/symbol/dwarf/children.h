/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the child of an entry of debug information that holds another entry. */
#ifndef SYMBOL_CHILDREN_H
#define SYMBOL_CHILDREN_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <budget/budget.h>

#define CHILDREN_LISTS 32

/* Children of the entries that were asked about last: units have very many. Zeroed but for the
 * budget it is empty. */
struct children {
    struct budget *budget;
    struct {
        Dwarf_Off parent; /* whose children these are */
        size_t first, count;
    } lists[CHILDREN_LISTS];
    size_t list_count;
    Dwarf_Off *offsets; /* of the children, each list in order */
    size_t offset_count, offset_room;
};

/* Goes to the next entry on the same level and counts the work. Returns false, if
 * there is none or the budget is over. */
bool children_step(struct children *children, Dwarf_Die *die);

/* The last child that begins at or before goal. Returns false if there is none, the budget is over
 * or memory runs out. */
bool children_find(struct children *children, Dwarf_Die *parent, Dwarf_Off goal, Dwarf_Die *child);

/* Forgets all but the budget. */
void children_free(struct children *children);

/* Bytes that are remembered. */
size_t children_bytes(const struct children *children);

#endif
