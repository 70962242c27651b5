/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the source line of an address. */
#ifndef SYMBOL_LINES_H
#define SYMBOL_LINES_H

#include <dwarf/sources.h>
#include <names/functions.h>

struct lines;

/* Creates the object. Arguments must live as long. The caller frees it before units: lines_free()
 * frees what it keeps in units. Returns NULL if memory runs out. */
struct lines *lines_new(struct units *units, struct sources *sources,
                        const struct functions *functions);
/* NULL is allowed and does nothing. */
void lines_free(struct lines *lines);

/* Finds the source line of an address, not relocated. The name lives as long as sources. Returns
 * false if the line is not known; *line is unchanged then. */
bool lines_find(struct lines *lines, uint64_t addr, struct symtab_line *line);

/* The same for the line where the function at addr begins, which the table may have only from a
 * later address below end on: gcc's nops at the start of a function have no line. */
bool lines_find_start(struct lines *lines, uint64_t addr, uint64_t end, struct symtab_line *line);

#endif
