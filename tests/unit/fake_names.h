/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions that a test makes up, in place of an ELF file. */
#ifndef FAKE_NAMES_H
#define FAKE_NAMES_H

#include <symbol/naming.h>

/* Functions at any addresses; those of size 0 are nowhere. */
struct fake_names {
    const struct symtab_function *functions;
    size_t count;
    /* The line at addr, which is in function, or in none: NULL. As symbol_naming.find_line(). NULL:
     * no line is known. */
    bool (*line_at)(const struct symtab_function *function, uint64_t addr,
                    struct symtab_line *line);
};

/* Functions of struct symbol_naming, whose context is a struct fake_names. */
const struct symtab_function *fake_find(void *context, uint64_t addr);
const struct symtab_function *fake_find_caller(void *context, uint64_t caller);
bool fake_find_line(void *context, uint64_t addr, struct symtab_line *line);
bool fake_find_start(void *context, const struct symtab_function *function,
                     struct symtab_line *line);

/* Initialisers of a struct symbol_naming. */
#define FAKE_NAMES(fake) \
    .context = (fake), .find = fake_find, .find_line = fake_find_line, .find_start = fake_find_start

#endif
