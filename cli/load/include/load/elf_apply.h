/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies aliases, regions and further ELF files of the options to an ELF file. */
#ifndef LOAD_ELF_APPLY_H
#define LOAD_ELF_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include <options/elf_map.h>
#include <symbol/symtab.h>

/* Loads the further ELF files and adds them, the aliases and the regions to symtab, which owns them
 * then; map is not needed afterwards. Fails if a file cannot be loaded or is for another processor,
 * if an alias or a region is beyond the program's addresses, or if memory runs out: returns false
 * and writes one line to text; symtab may then have some of them. */
bool elf_apply(const struct elf_map *map, struct symtab *symtab, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Prints to stderr, a line each, which of its files have code at the same addresses. Prints nothing
 * if none have. */
void elf_apply_say(const struct symtab *symtab);

#endif
