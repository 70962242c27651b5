/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aliases, regions and further images. */
#include "map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Room for one more; NULL: no memory, *array is as before. */
static void *grow(void *array, size_t count, size_t size)
{
    return realloc(array, (count + 1) * size);
}

bool map_alias(struct map *map, const struct symtab_alias *alias)
{
    struct symtab_alias *aliases = grow(map->aliases, map->alias_count, sizeof(*aliases));

    if (!aliases)
        return false;
    map->aliases = aliases;
    aliases[map->alias_count++] = *alias;
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
    struct symtab_function *region = make_region(name, start, size);
    struct symtab_function **regions = grow(map->regions, map->region_count, sizeof(region));

    if (regions)
        map->regions = regions;
    if (!region || !regions) {
        free(region);
        return false;
    }
    regions[map->region_count++] = region;
    return true;
}

bool map_join(struct map *map, struct symtab *other)
{
    struct part *parts = grow(map->parts, map->part_count, sizeof(*parts));

    if (!parts)
        return false;
    map->parts = parts;
    parts[map->part_count++] = (struct part){.symtab = other, .used = true};
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
