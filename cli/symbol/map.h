/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What beside one image's own addresses is known: where else code is seen, stretches with a name
 * and no symbols, and more images. */
#ifndef SYMBOL_MAP_H
#define SYMBOL_MAP_H

#include <symbol/symtab.h>

struct part {
    struct symtab *symtab; /* owned */
    bool used;
};

/* Zeroed, it is empty. */
struct map {
    struct symtab_alias *aliases;
    size_t alias_count, alias_room;
    struct symtab_function **regions; /* each of its own, so that they stay where they are */
    size_t region_count, region_room;
    struct part *parts;
    size_t part_count, part_room;
};

/* Frees all, each part by free_part. */
void map_free(struct map *map, void (*free_part)(struct symtab *part));

/* false: no memory. */
bool map_alias(struct map *map, const struct symtab_alias *alias);
bool map_region(struct map *map, const char *name, uint64_t start, uint64_t size);
bool map_join(struct map *map, struct symtab *other);

/* Where the image has what the target reports at addr. */
uint64_t map_place(const struct map *map, uint64_t addr);

/* The region that addr is in, or NULL. */
const struct symtab_function *map_region_at(const struct map *map, uint64_t addr);

#endif
