/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols of several ELF files, at the addresses that the target reports. */
#ifndef LOAD_ELF_APPLY_H
#define LOAD_ELF_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include <options/elf_map.h>
#include <symbol/symtab.h>

/* Puts it all upon the first file's symbols, loading the others. false: text says in one line why
 * not; symtab may have a part of it. */
bool elf_apply(const struct elf_map *map, struct symtab *symtab, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Says on stderr where files have code at the same addresses. */
void elf_apply_say(const struct symtab *symtab);

#endif
