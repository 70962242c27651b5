/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines by address. */
#ifndef SYMBOL_LINES_H
#define SYMBOL_LINES_H

#include <dwarf/sources.h>
#include <names/functions.h>

struct lines;

/* NULL: no memory. What is given must live as long; lines_free() frees what it put into units. */
struct lines *lines_new(struct units *units, struct sources *sources,
                        const struct functions *functions);
void lines_free(struct lines *lines);

/* entry: a function begins at addr. The name lives as long as sources. */
bool lines_find(struct lines *lines, uint64_t addr, bool entry, struct symtab_line *line);

#endif
