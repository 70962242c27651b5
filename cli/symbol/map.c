/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aliases, regions and further images. */
#include "map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

void map_free(struct map *map, void (*free_part)(struct symtab *part))
{
    for (size_t i = 0; i < map->region_count; i++)
        free(map->regions[i]);
    for (size_t i = 0; i < map->part_count; i++)
        free_part(map->parts[i].symtab);
    free(map->regions);
    free(map->parts);
    free(map->aliases);
    *map = (struct map){.aliases = NULL};
}

bool map_alias(struct map *map, const struct symtab_alias *alias)
{
    if (!VEC_ROOM(map->aliases, map->alias_room, map->alias_count, 1))
        return false;
    map->aliases[map->alias_count++] = *alias;
    return true;
}

/* With its name, "[NAME]", behind it. */
static struct symtab_function *make_region(const char *name, uint64_t start, uint64_t size)
{
    size_t len = strlen(name) + sizeof("[]");
    struct symtab_function *f = malloc(sizeof(*f) + len);

    if (f) {
        char *text = (char *)(f + 1);
        snprintf(text, len, "[%s]", name);
        *f = (struct symtab_function){.addr = start, .size = size, .name = text};
    }
    return f;
}

bool map_region(struct map *map, const char *name, uint64_t start, uint64_t size)
{
    struct symtab_function *region = VEC_ROOM(map->regions, map->region_room, map->region_count, 1)
                                         ? make_region(name, start, size)
                                         : NULL;

    if (region)
        map->regions[map->region_count++] = region;
    return region != NULL;
}

bool map_join(struct map *map, struct symtab *other)
{
    if (!VEC_ROOM(map->parts, map->part_room, map->part_count, 1))
        return false;
    map->parts[map->part_count++] = (struct part){.symtab = other, .used = true};
    return true;
}

uint64_t map_place(const struct map *map, uint64_t addr)
{
    for (size_t i = 0; i < map->alias_count; i++) {
        const struct symtab_alias *a = &map->aliases[i];
        if (addr - a->from < a->size)
            return a->to + (addr - a->from);
    }
    return addr;
}

const struct symtab_function *map_region_at(const struct map *map, uint64_t addr)
{
    for (size_t i = 0; i < map->region_count; i++) {
        if (addr - map->regions[i]->addr < map->regions[i]->size)
            return map->regions[i];
    }
    return NULL;
}
