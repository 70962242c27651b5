/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ functions that have no linkage name, as the demangler would write them. */
#ifndef SYMBOL_DIE_NAMES_H
#define SYMBOL_DIE_NAMES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "demangle.h"

/* Entries that may be looked at for all names of a file. */
#define DIE_NAMES_LOOKS ((uint64_t)1 << 25)

/*
 * Compilers leave the linkage name out where no other unit can call the function: then its
 * namespaces and classes, and the types of template arguments, are read from the debug information.
 * Types are spelled as libiberty spells them (unsigned long, char const*, 3u), so that an inlined
 * function and its copy in the symbol table have one name. parameters: with the types of its
 * parameters, and of a template's result.
 *
 * *looks goes down by the entries that were looked at. Returns false, with text undefined, if the
 * function is not one of C++, something in its name can't be spelled, or *looks is used up.
 */
bool die_name(Dwarf_Die *function, bool parameters, uint64_t *looks, char text[DEMANGLE_MAX]);

#endif
