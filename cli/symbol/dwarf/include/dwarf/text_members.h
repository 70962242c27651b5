/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds an array of characters in a structure. */
#ifndef SYMBOL_TEXT_MEMBERS_H
#define SYMBOL_TEXT_MEMBERS_H

#include <dwarf/debug.h>

/* Finds a member that is an array of characters, as symtab_find_text_member() does. */
bool text_members_find(struct debug *debug, const char *structure, const char *member,
                       uint64_t *offset, uint64_t *size);

#endif
