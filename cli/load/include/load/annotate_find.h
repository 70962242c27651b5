/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which function is meant. */
#ifndef LOAD_ANNOTATE_FIND_H
#define LOAD_ANNOTATE_FIND_H

#include <ranking/annotate.h>
#include <snapshot/snapshot.h>
#include <symbol/naming.h>
#include <symbol/symtab.h>

/*
 * Finds the function: by its name, FILE:NAME where several have it, an address in it (0x...), its
 * name without what a compiler put behind it (".constprop.0"), the end of its name from a "::" on
 * if only one has that, or a pattern of fnmatch(3) that fits only one; and its cold parts. They
 * become the annotation's parts. symtab may be NULL: then those that the snapshot has. A status;
 * what is wrong is said, with the names that may be meant.
 */
int annotate_find(const char *wanted, struct symtab *symtab, const struct snapshot *snapshot,
                  const struct symbol_naming *names, struct annotation *annotation);

/* Takes a function that is known: it and its cold parts become the annotation's parts. false: no
 * memory. */
bool annotate_take(const struct symtab_function *function, const struct symtab *symtab,
                   const struct symbol_naming *names, struct annotation *annotation)
    __attribute__((warn_unused_result));

#endif
