/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names that the debug information has for functions. */
#ifndef SYMBOL_FUNCTION_NAMES_H
#define SYMBOL_FUNCTION_NAMES_H

#include <dwarf/debug.h>

/* Calls take() with the address and a name of each function, in no order; a function may have two
 * names. name is valid during the call. Does nothing if there is no debug information or the file
 * is large, because reading all of it takes long. */
void function_names_each(struct debug *debug, void *context,
                         void (*take)(void *context, uint64_t addr, const char *name));

#endif
