/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that were inlined somewhere, each once. */
#ifndef SYMBOL_ORIGINS_H
#define SYMBOL_ORIGINS_H

#include <base/dedupe.h>
#include <budget/vec.h>
#include <dwarf/sources.h>
#include <names/functions.h>

#include "children.h"

struct origin {
    Dwarf_Off entry;
    const char *name; /* as the debug information or sources have it, NULL: none */
    uint32_t unit;    /* whose table has the file, UINT32_MAX: not known */
    uint32_t file, line;
    bool read; /* the rest of it; not if reading was stopped */
};

struct origins {
    const struct units *units;
    struct sources *sources;
    const struct functions *functions;
    struct children children;
    struct budget_vec overloads; /* names of functions with parameters, in order */
    bool overloads_read;
    struct budget_vec list;
    struct dedupe known; /* of the list, by their entries */
};

/* The number of that function in the list, from 0; SIZE_MAX: no memory. */
size_t origins_take(struct origins *origins, Dwarf_Off function);
const struct origin *origins_get(const struct origins *origins, size_t number);
void origins_drop(struct origins *origins);
size_t origins_bytes(const struct origins *origins);

#endif
