/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that describe the target's memory: aliases, regions, further ELF files. */
#ifndef OPTIONS_ELF_MAP_H
#define OPTIONS_ELF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

#define ELF_MAP_MAX      16 /* largest number of aliases, and of regions */
#define ELF_MAP_MORE_MAX 7  /* largest number of ELF files in addition to the first one */
#define ELF_MAP_NAME_MAX 40 /* size of a region's name, bytes with the NUL */

/* A range of addresses with a name, for code without an ELF file. */
struct elf_region {
    char name[ELF_MAP_NAME_MAX];
    uint64_t start, size;
};

/* All of them. Zeroed memory is an empty map. load/elf_apply.h applies it to an ELF file. */
struct elf_map {
    const char *more[ELF_MAP_MORE_MAX]; /* paths of further ELF files; borrowed */
    size_t more_count;
    struct symtab_alias aliases[ELF_MAP_MAX];
    size_t alias_count;
    struct elf_region regions[ELF_MAP_MAX];
    size_t region_count;
};

/* Adds the path of an ELF file, which must live as long as the map. Returns false if there are
 * ELF_MAP_MORE_MAX already. */
bool elf_map_add(struct elf_map *map, const char *path);

/* Add an alias FROM=TO+SIZE ("0=0x08000000+1M") or a region NAME=START+SIZE ("ROM=0x1fff0000+32k").
 * Numbers are as number_take_size() reads them. Return false, and write one line to text, if value
 * is wrong or overlaps an alias or a region in the map; the map is unchanged then. */
bool elf_map_alias(struct elf_map *map, const char *value, char *text, size_t capacity);
bool elf_map_region(struct elf_map *map, const char *value, char *text, size_t capacity);

#endif
