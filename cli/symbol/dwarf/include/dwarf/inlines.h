/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the inlined functions at an address. */
#ifndef SYMBOL_INLINES_H
#define SYMBOL_INLINES_H

#include <dwarf/sources.h>
#include <names/functions.h>

struct inlines;

/* Creates the object. Arguments must live as long. The caller frees it before units: inlines_free()
 * frees what it keeps in units. Returns NULL if memory runs out. */
struct inlines *inlines_new(struct units *units, struct sources *sources,
                            const struct functions *functions);
/* NULL is allowed and does nothing. */
void inlines_free(struct inlines *inlines);

/* Finds inlined functions like symtab_find_inlined(), at an address in a function, not relocated.
 * Names live as long as sources and the image. */
size_t inlines_find(struct inlines *inlines, const struct symtab_function *function, uint64_t addr,
                    struct symtab_inlined *frames, size_t max);

/* Finds the entry of the function whose code is at an address in it, not relocated. Returns false if
 * there is none. */
bool inlines_entry(struct inlines *inlines, const struct symtab_function *function, uint64_t addr,
                   Dwarf_Die *entry);

#endif
