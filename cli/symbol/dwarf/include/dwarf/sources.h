/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of source files in line tables. */
#ifndef SYMBOL_SOURCES_H
#define SYMBOL_SOURCES_H

#include <dwarf/units.h>

struct sources;

/* NULL: no memory. The units must live as long; what is in them is freed by sources_free(). */
struct sources *sources_new(struct units *units);
void sources_free(struct sources *sources);

/* The file of that number in a unit's table, with its folder in front. NULL: not known. The name
 * lives as long as sources. */
const char *sources_name(struct sources *sources, struct unit *unit, uint64_t number);

/* The text, or an equal one that lives as long as sources. NULL: no memory. */
const char *sources_keep(struct sources *sources, const char *text);

#endif
