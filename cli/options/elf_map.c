/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes aliases, regions and further ELF files as options give them. */
#define _POSIX_C_SOURCE 200809L

#include <options/elf_map.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <base/number.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <base/utf8.h>

/* Where the text of an option stands. */
struct reader {
    const char *at;
    char *text;
    size_t capacity;
};

static bool wrong(const struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool wrong(const struct reader *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->text, r->capacity, format, args);
    va_end(args);
    return false;
}

static bool take_char(struct reader *r, char c)
{
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

/* A range ends before the last address that there could be, so that sums stay in range. */
static bool is_range(uint64_t start, uint64_t size)
{
    return size != 0 && size <= UINT64_MAX - start;
}

static bool meet(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a - b < b_size || b - a < a_size;
}

bool elf_map_add(struct elf_map *map, const char *path)
{
    if (map->more_count == ELF_MAP_MORE_MAX)
        return false;
    map->more[map->more_count++] = path;
    return true;
}

/* What one leads to must not be led elsewhere. */
static const char *collide(const struct elf_map *map, const struct symtab_alias *a)
{
    for (size_t i = 0; i < map->alias_count; i++) {
        const struct symtab_alias *b = &map->aliases[i];
        if (meet(a->from, a->size, b->from, b->size))
            return "overlaps another alias";
        if (meet(a->from, a->size, b->to, b->size) || meet(a->to, a->size, b->from, b->size))
            return "maps from or to another alias";
    }
    for (size_t i = 0; i < map->region_count; i++) {
        const struct elf_region *b = &map->regions[i];
        if (meet(a->from, a->size, b->start, b->size) || meet(a->to, a->size, b->start, b->size))
            return "overlaps a region";
    }
    return NULL;
}

bool elf_map_alias(struct elf_map *map, const char *value, char *text, size_t capacity)
{
    struct reader r = {.at = value, .text = text, .capacity = capacity};
    struct symtab_alias a;

    if (!number_take_size(&r.at, &a.from) || !take_char(&r, '=') ||
        !number_take_size(&r.at, &a.to) || !take_char(&r, '+') ||
        !number_take_size(&r.at, &a.size) || *r.at)
        return wrong(&r, "'%s' is not FROM=TO+SIZE, like 0=0x08000000+1M", value);
    if (!is_range(a.from, a.size) || !is_range(a.to, a.size))
        return wrong(&r, "'%s' is empty, or ends beyond the last address", value);
    if (meet(a.from, a.size, a.to, a.size))
        return wrong(&r, "'%s': FROM and TO overlap", value);
    const char *why = collide(map, &a);
    if (why)
        return wrong(&r, "'%s' %s", value, why);
    if (map->alias_count == ELF_MAP_MAX)
        return wrong(&r, "'%s' is one too many: %d aliases at most", value, ELF_MAP_MAX);
    map->aliases[map->alias_count++] = a;
    return true;
}

/* What stands in brackets later, and in one line. */
static bool is_name(const char *name)
{
    char buffer[UTF8_SHOWN_MAX];
    struct utf8_char c;

    for (const char *s = name; *s; s += c.len) {
        c = utf8_next(s);
        if (utf8_shown(c.code, buffer) || strchr("[]", *s))
            return false;
    }
    return name[0] != '\0' && name[0] != ' ';
}

static const char *region_collides(const struct elf_map *map, const struct elf_region *r)
{
    for (size_t i = 0; i < map->region_count; i++) {
        if (meet(r->start, r->size, map->regions[i].start, map->regions[i].size))
            return "overlaps another region";
        if (strcmp(r->name, map->regions[i].name) == 0)
            return "has the name of another region";
    }
    for (size_t i = 0; i < map->alias_count; i++) {
        const struct symtab_alias *a = &map->aliases[i];
        if (meet(a->from, a->size, r->start, r->size) || meet(a->to, a->size, r->start, r->size))
            return "overlaps an alias";
    }
    return NULL;
}

bool elf_map_region(struct elf_map *map, const char *value, char *text, size_t capacity)
{
    const char *equals = strchr(value, '=');
    struct reader r = {.at = equals ? equals : "", .text = text, .capacity = capacity};
    struct elf_region region;

    if (!take_char(&r, '=') || !number_take_size(&r.at, &region.start) || !take_char(&r, '+') ||
        !number_take_size(&r.at, &region.size) || *r.at)
        return wrong(&r, "'%s' is not NAME=START+SIZE, like ROM=0x1fff0000+32k", value);
    size_t len = (size_t)(equals - value);
    if (len >= sizeof(region.name))
        return wrong(&r, "'%.60s...' has a name of more than %d bytes", value,
                     ELF_MAP_NAME_MAX - 1);
    memcpy(region.name, value, len);
    region.name[len] = '\0';
    if (!is_name(region.name))
        return wrong(&r, "'%s' has no name, or one with brackets or control characters", value);
    if (!is_range(region.start, region.size))
        return wrong(&r, "'%s' is empty, or ends beyond the last address", value);
    const char *why = region_collides(map, &region);
    if (why)
        return wrong(&r, "'%s' %s", value, why);
    if (map->region_count == ELF_MAP_MAX)
        return wrong(&r, "'%s' is one too many: %d regions at most", value, ELF_MAP_MAX);
    map->regions[map->region_count++] = region;
    return true;
}
