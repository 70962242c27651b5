/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bounded walk over the entries of DWARF debug information. */
#ifndef SYMBOL_DIES_H
#define SYMBOL_DIES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

#include <budget/budget.h>

/* Debug information may be damaged so that it nests without end or goes in circles. */
#define DIES_DEPTH 64

struct dies_walk {
    void *context;
    bool (*visit)(void *context, Dwarf_Die *die); /* false: stop */
    bool deep; /* inside functions and classes too, not only what stands in units and namespaces */
    bool classes; /* inside classes, too */
    struct budget *budget;
};

void dies_each(Dwarf *dwarf, struct dies_walk *walk);

/* The same, below one entry. */
void dies_below(Dwarf_Die *die, struct dies_walk *walk);

/* The entry that follows on the same level, in place. false: none, or one that stands before it, as
 * damaged information may say, or the budget is over. */
bool dies_next(struct budget *budget, Dwarf_Die *die);

/* Finds the type without its typedefs and qualifiers. Returns false if there is none, or if they
 * never end. */
bool dies_type(Dwarf_Die *of, Dwarf_Die *type);

/* Sets *number to the value of an attribute, of the entry or the one that it completes. Returns
 * false if there is none; *number is unchanged then. */
bool dies_number(Dwarf_Die *die, unsigned name, uint64_t *number);

/* Returns the operation of an expression that has one; NULL: it has more. */
const Dwarf_Op *dies_operation(Dwarf_Attribute *attribute);

/* Finds the bytes from the start of a structure to a member of it. Returns false if they are not
 * known, as of a bit field; *offset is undefined then. */
bool dies_offset(Dwarf_Die *member, uint64_t *offset);

/* Returns the elements of one dimension of an array, a DW_TAG_subrange_type; 0: not known. */
uint64_t dies_elements(Dwarf_Die *range);

/* As the entry, or the one that it completes, says; NULL: it does not. */
const char *dies_name(Dwarf_Die *die);
const char *dies_linkage_name(Dwarf_Die *die);

#endif
