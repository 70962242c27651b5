/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions were inlined where. */
#ifndef SYMBOL_INLINES_H
#define SYMBOL_INLINES_H

#include <dwarf/sources.h>
#include <names/functions.h>

struct inlines;

/* NULL: no memory. What is given must live as long; inlines_free() frees what it put into units. */
struct inlines *inlines_new(struct units *units, struct sources *sources,
                            const struct functions *functions);
void inlines_free(struct inlines *inlines);

/* As symtab_find_inlined(), in the function. Names live as long as sources and the image. */
size_t inlines_find(struct inlines *inlines, const struct symtab_function *function, uint64_t addr,
                    struct symtab_inlined *frames, size_t max);

#endif
