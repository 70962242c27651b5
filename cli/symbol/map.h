/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one ELF file does not say about addresses: aliases, named regions, and further ELF files. */
#ifndef SYMBOL_MAP_H
#define SYMBOL_MAP_H

#include <symbol/symtab.h>

/* A further ELF file. */
struct part {
    struct symtab *symtab; /* owned */
    bool used;             /* queries look into it; set by symtab_use_part() */
};

/* Zeroed memory is an empty map. */
struct map {
    struct symtab_alias *aliases; /* owned */
    size_t alias_count, alias_room;
    struct symtab_function **regions; /* each allocated, so that its address is stable */
    size_t region_count, region_room;
    struct part *parts;
    size_t part_count, part_room;
};

/* Frees the map and what it owns; frees each part with free_part(). */
void map_free(struct map *map, void (*free_part)(struct symtab *part));

/* Add an alias, a region of size bytes from start, or an ELF file, which the map then owns. Copy
 * their other arguments. Return false if memory runs out; the caller then keeps the ELF file. */
bool map_alias(struct map *map, const struct symtab_alias *alias);
bool map_region(struct map *map, const char *name, uint64_t start, uint64_t size);
bool map_join(struct map *map, struct symtab *other);

/* Returns the address in the ELF file for an address of the target: addr, unless an alias covers
 * it.
 */
uint64_t map_place(const struct map *map, uint64_t addr);

/* Returns the region that contains addr, or NULL. It lives as long as the map. */
const struct symtab_function *map_region_at(const struct map *map, uint64_t addr);

#endif
