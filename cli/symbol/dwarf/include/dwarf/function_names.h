/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names that the debug information has for functions. */
#ifndef SYMBOL_FUNCTION_NAMES_H
#define SYMBOL_FUNCTION_NAMES_H

#include <dwarf/debug.h>

/* Says for every function of the debug information, in no order, where it begins and one of its
 * names; a function may have two. A file without debug information has none; nor has
 * a large one here, because reading it all takes a while. */
void function_names_each(struct debug *debug, void *context,
                         void (*take)(void *context, uint64_t addr, const char *name));

#endif
