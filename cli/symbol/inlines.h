/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions were inlined where. */
#ifndef SYMBOL_INLINES_H
#define SYMBOL_INLINES_H

#include "functions.h"

struct inlines;

/* Reads all units. NULL: no debug information, or no memory. The image must live as long. */
struct inlines *inlines_read(const struct image *image);
void inlines_free(struct inlines *inlines);

/* As symtab_find_inlined(), in the function. */
size_t inlines_find(const struct inlines *inlines, const struct symtab_function *function,
                    uint64_t addr, struct symtab_inlined *frames, size_t max);

#endif
