/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How structures are passed in registers, and what is in them. */
#ifndef SYMBOL_STRUCTURES_H
#define SYMBOL_STRUCTURES_H

#include <elfutils/libdw.h>

#include <budget/budget.h>
#include <symbol/symtab.h>

/* A description of parameters that grows. The caller sets the first three members; all else is 0 at
 * first. A copy is the description as it was then. */
struct structures {
    struct budget *budget;
    struct symtab_layout *layout;
    char
        floats; /* letter of a parameter that is a floating point value, as of scalars_describe() */
    size_t used, count; /* bytes of the text; types */
    bool any;           /* a structure is described */
    bool failed;        /* something cannot be described: it stays so */
};

/* Whether a type is a structure, a class or a union. */
bool structures_is(Dwarf_Die *type);

/* Adds bytes of text. */
void structures_put(struct structures *to, const char *text, size_t len);

/* Adds a parameter. */
void structures_add(struct structures *to, Dwarf_Die *parameter);

/* Ends the text, with a "*" if there are more parameters; it is empty if no structure is in it. */
void structures_end(struct structures *to, bool more);

#endif
