/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paths of source files, which line tables refer to by numbers. */
#ifndef SYMBOL_SOURCES_H
#define SYMBOL_SOURCES_H

#include <dwarf/units.h>

/* The file tables that were read so far, and a store of their paths. */
struct sources;

/* Creates a store without paths. units are borrowed and must live longer: unit.sources is set when
 * a table is read. The caller calls sources_free(). Returns NULL if memory runs out. */
struct sources *sources_new(struct units *units);

/* Frees the store, all its strings, and what unit.sources points to. NULL does nothing. */
void sources_free(struct sources *sources);

/* Returns the path of a file by its number in the unit's line table (DWARF 5, 6.2.4). A path that
 * is not absolute has its folder before it. The path lives as long as sources. Returns NULL if the
 * number is not in the table, memory runs out or the budget is over. */
const char *sources_name(struct sources *sources, struct unit *unit, uint64_t number);

/* Returns a copy of text, the same one for equal texts. It lives as long as sources. Returns NULL
 * if memory runs out or the budget is over. */
const char *sources_keep(struct sources *sources, const char *text);

#endif
