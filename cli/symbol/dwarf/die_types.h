/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types and template arguments of C++, as the demangler would write them: parts of die_names.h. */
#ifndef SYMBOL_DIE_TYPES_H
#define SYMBOL_DIE_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

#include "children.h"

/* Names inside names, and types inside types. */
#define DIE_LEVELS_MAX 24

struct die_writer {
    char *text; /* DEMANGLE_MAX bytes */
    size_t used;
    struct children *children;
    unsigned level;
    bool failed; /* there is no room, or something can't be spelled: it stays so */
};

void die_put_len(struct die_writer *w, const char *text, size_t len);

/* NULL fails. */
void die_put(struct die_writer *w, const char *text);

/* Puts a sign, after a space if the text ends in the same sign. */
void die_put_sign(struct die_writer *w, char sign);

/* As children_step(). false, too, if the writer has failed. */
bool die_step(struct die_writer *w, Dwarf_Die *die);

/* The entry that an attribute refers to. false: there is none. */
bool die_refer(Dwarf_Die *die, unsigned name, Dwarf_Die *to);

/* The type that an entry has. */
void die_put_type_of(struct die_writer *w, Dwarf_Die *of);

/* The arguments of a template, with count before them; returns how many there are with them. */
size_t die_put_arguments(struct die_writer *w, Dwarf_Die *of, size_t count);
bool die_is_template(struct die_writer *w, Dwarf_Die *die);

/* As the compiler spells it, but for base types. */
void die_put_spelled(struct die_writer *w, const char *name);

/* The types of its parameters, but for the object that it is called of. */
void die_put_parameters(struct die_writer *w, Dwarf_Die *function);

/* A name with its scopes: in die_names.c, for types that have names. */
void die_put_qualified(struct die_writer *w, Dwarf_Die *die);

#endif
