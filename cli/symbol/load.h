/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading a symbol table with another limit, for tests and measurements. */
#ifndef SYMBOL_LOAD_H
#define SYMBOL_LOAD_H

#include <symbol/symtab.h>

struct budgets;

/* As symtab_load(), with whole_max in place of IMAGE_WHOLE_MAX of elf/image.h. */
enum symtab_code symtab_load_by(const char *path, size_t whole_max, struct symtab **symtab,
                                char *text, size_t capacity) __attribute__((warn_unused_result));

/* What is left of what the file may cost. */
const struct budgets *symtab_budgets(const struct symtab *symtab);

#endif
