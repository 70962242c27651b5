/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and exceptions with names similar to a mistyped one (base/nearest.h). */
#ifndef LOAD_NEAR_NAMES_H
#define LOAD_NEAR_NAMES_H

#include <base/nearest.h>
#include <ranking/ignore.h>
#include <symbol/symtab.h>
#include <symbol/vectors.h>

/* Calls nearest_offer() with the names of all functions, which are borrowed from symtab. */
void near_functions(struct nearest *nearest, const struct symtab *symtab);

/* Calls nearest_offer() with "thread" and the names of all exception handlers. vectors may be NULL:
 * there are none. */
void near_handlers(struct nearest *nearest, const struct symtab *symtab,
                   const struct vectors *vectors);

/* Prints a message for each name in a list of --ignore that no function has, if a similar one
 * exists. Other unknown names may be of another build, and give no message. */
void near_check_ignore(const struct view_ignore *ignore, const struct symtab *symtab);

#endif
