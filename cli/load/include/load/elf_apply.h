/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies aliases, regions and further ELF files of the options to an ELF file. */
#ifndef LOAD_ELF_APPLY_H
#define LOAD_ELF_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include <options/elf_map.h>
#include <symbol/symtab.h>

/* Loads the further ELF files and adds them, the aliases and the regions to symtab. Returns false,
 * and writes one line to text, on failure; symtab may then have some of them. */
bool elf_apply(const struct elf_map *map, struct symtab *symtab, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Prints to stderr which of its files have code at the same addresses. */
void elf_apply_say(const struct symtab *symtab);

#endif
