/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and exceptions whose names are near to a mistyped one. */
#ifndef LOAD_NEAR_NAMES_H
#define LOAD_NEAR_NAMES_H

#include <base/nearest.h>
#include <ranking/ignore.h>
#include <symbol/symtab.h>
#include <symbol/vectors.h>

/* Offers the names of all functions; they are borrowed from symtab. */
void near_functions(struct nearest *nearest, const struct symtab *symtab);

/* Offers "thread" and the handlers of all exceptions; NULL: there are none. */
void near_handlers(struct nearest *nearest, const struct symtab *symtab,
                   const struct vectors *vectors);

/* Complains about each name in a list of --ignore that no function has, if one is near. A name
 * without any that is near may be one of another build: it is not complained about. */
void near_check_ignore(const struct view_ignore *ignore, const struct symtab *symtab);

#endif
