/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ functions that have no linkage name, as the demangler would write them. */
#ifndef SYMBOL_DIE_NAMES_H
#define SYMBOL_DIE_NAMES_H

#include <stdbool.h>

#include <names/demangle.h>

#include "children.h"

/*
 * Compilers leave the linkage name out where no other unit can call the function: then its
 * namespaces and classes, and the types of template arguments, are read from the debug information.
 * Types are spelled as libiberty spells them (unsigned long, char const*, 3u), so that an inlined
 * function and its copy in the symbol table have one name. parameters: with the types of its
 * parameters, and of a template's result.
 *
 * Returns false, with text undefined, if the function is not one of C++, something in its name
 * can't be spelled, or the budget is over.
 */
bool die_name(struct children *children, Dwarf_Die *function, bool parameters,
              char text[DEMANGLE_MAX]);

#endif
