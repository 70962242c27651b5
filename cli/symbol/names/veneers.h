/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a linker's veneer leads to. */
#ifndef SYMBOL_VENEERS_H
#define SYMBOL_VENEERS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Linkers put a few instructions between a call and a function that is too far away or of another
 * instruction set, and name them __NAME_veneer, __NAME_from_thumb, __NAME_from_arm,
 * __NAME_change_to_arm.
 */

/* Whether a name has that form. */
bool veneer_has_form(const char *name);

/* The name of the function that it leads to, among count sorted names, of which it must be one:
 * NULL if it is not, because then a function has that name itself. */
const char *veneer_goal(const char *name, const char *const *names, size_t count);

#endif
