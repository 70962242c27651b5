/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of the values of an enumeration. */
#ifndef SYMBOL_ENUMERATORS_H
#define SYMBOL_ENUMERATORS_H

#include <elfutils/libdw.h>

#include <budget/budget.h>

/* Writes what a value of the enumeration of an entry is called, as symtab_find_enumerator() does.
 * Returns false if it has no name, text is too small, or the budget is over. */
bool enumerators_find(struct budget *budget, Dwarf_Die *enumeration, uint64_t value, unsigned size,
                      char *text, size_t capacity);

#endif
