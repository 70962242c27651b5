/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines by address. */
#ifndef SYMBOL_LINES_H
#define SYMBOL_LINES_H

#include "functions.h"

struct lines;

/* Reads the lines of all units. NULL: no debug information, or no memory. The image must live as
 * long as the result, and functions during the call. */
struct lines *lines_read(const struct image *image, const struct functions *functions);
void lines_free(struct lines *lines);

/* entry: a function begins at addr. */
bool lines_find(const struct lines *lines, uint64_t addr, bool entry, struct symtab_line *line);

#endif
