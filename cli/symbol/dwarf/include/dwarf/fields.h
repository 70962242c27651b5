/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds variables and members of structures by expressions of C. */
#ifndef SYMBOL_FIELDS_H
#define SYMBOL_FIELDS_H

#include <dwarf/debug.h>

/* Finds a variable or a member, as symtab_find_field() does. */
bool fields_find(struct debug *debug, const char *path, struct symtab_field *field);

#endif
