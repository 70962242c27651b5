/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of hits that carry no description of themselves, read by their DWARF types. */
#ifndef SYMBOL_TABLES_H
#define SYMBOL_TABLES_H

#include <dwarf/debug.h>

/* The variable of that name. addr: where the symbol table has it, 0: it does not; size: as the
 * symbol table says, 0: not known. Both are the file's own addresses. As symtab_find_table(). */
enum symtab_table_kind tables_find(struct debug *debug, const char *name, uint64_t addr,
                                   uint64_t size, struct symtab_table *table, char *text,
                                   size_t capacity);

#endif
