/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds tables of hits without a header by their DWARF types. */
#ifndef SYMBOL_TABLES_H
#define SYMBOL_TABLES_H

#include <dwarf/debug.h>

/* Finds a variable and describes it like symtab_find_table(). addr and size are those of the symbol
 * table, not relocated; 0: not known. */
enum symtab_table_kind tables_find(struct debug *debug, const char *name, uint64_t addr,
                                   uint64_t size, struct symtab_table *table, char *text,
                                   size_t capacity);

/* Returns the bytes of a variable of the symbol table if it is an integer or a pointer, else 0.
 * addr and size are as for tables_find(), and known. */
unsigned tables_counter_size(struct debug *debug, const char *name, uint64_t addr, uint64_t size);

#endif
