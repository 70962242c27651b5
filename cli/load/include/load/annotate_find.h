/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the function to annotate. */
#ifndef LOAD_ANNOTATE_FIND_H
#define LOAD_ANNOTATE_FIND_H

#include <ranking/annotate.h>
#include <snapshot/snapshot.h>
#include <symbol/naming.h>
#include <symbol/symtab.h>

/*
 * Finds a function and its cold parts, which become the annotation's parts. wanted is
 *
 * - an address in the function (0x...), or its name;
 * - FILE:NAME, if several functions have the name;
 * - its name without a suffix of the compiler (".constprop.0"), the end of its name after "::", or
 * a pattern of fnmatch(3), if these match only one function.
 *
 * Searches the ELF file, or the snapshot if symtab is NULL. Returns STATUS_DONE. Otherwise prints a
 * message with similar names, and returns STATUS_FAILED.
 */
int annotate_find(const char *wanted, struct symtab *symtab, const struct snapshot *snapshot,
                  const struct symbol_naming *names, struct annotation *annotation);

/* Makes a function and its cold parts the annotation's parts. Returns false if memory runs out. */
bool annotate_take(const struct symtab_function *function, const struct symtab *symtab,
                   const struct symbol_naming *names, struct annotation *annotation)
    __attribute__((warn_unused_result));

#endif
