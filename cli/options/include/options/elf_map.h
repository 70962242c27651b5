/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What options say about addresses beside the ELF: aliases, regions, further ELF files. */
#ifndef OPTIONS_ELF_MAP_H
#define OPTIONS_ELF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

#define ELF_MAP_MAX      16 /* of each */
#define ELF_MAP_MORE_MAX 7  /* files beside the first */
#define ELF_MAP_NAME_MAX 40

struct elf_region {
    char name[ELF_MAP_NAME_MAX];
    uint64_t start, size;
};

/* Zeroed, it is empty. Paths are borrowed. */
struct elf_map {
    const char *more[ELF_MAP_MORE_MAX];
    size_t more_count;
    struct symtab_alias aliases[ELF_MAP_MAX];
    size_t alias_count;
    struct elf_region regions[ELF_MAP_MAX];
    size_t region_count;
};

/* One more file; false: there are too many. */
bool elf_map_add(struct elf_map *map, const char *path);

/* "0=0x08000000+1M", "ROM=0x1fff0000+32k": numbers are hexadecimal behind 0x, else decimal, with k
 * or M behind them. false: text says in one line what is wrong, also where it meets what there is.
 */
bool elf_map_alias(struct elf_map *map, const char *value, char *text, size_t capacity);
bool elf_map_region(struct elf_map *map, const char *value, char *text, size_t capacity);

#endif
