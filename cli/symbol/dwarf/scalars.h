/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What values that fit into registers are, by the types of parameters and members. */
#ifndef SYMBOL_SCALARS_H
#define SYMBOL_SCALARS_H

#include <elfutils/libdw.h>

#include <symbol/symtab.h>

/* Writes the letter and the size, a digit, of the value of an entry, as in struct
 * symtab_parameters; floats is the letter of floating point values. Returns false if it is another
 * value; code is undefined then. */
bool scalars_describe(Dwarf_Die *of, char floats, char code[2]);

/* Returns what the value of an entry is besides. */
struct symtab_type scalars_type(Dwarf_Die *of);

#endif
