/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives aliases, regions and further ELF files to the symbols. */
#define _POSIX_C_SOURCE 200809L

#include <load/elf_apply.h>

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>

static bool is_in_reach(const struct symtab *symtab, uint64_t start, uint64_t size)
{
    return symtab_elf(symtab)->addr_size == 8 ||
           (start <= UINT32_MAX && size - 1 <= UINT32_MAX - start);
}

/* false: text says which of them the program's addresses have no room for. */
static bool check_reach(const struct elf_map *map, const struct symtab *symtab, char *text,
                        size_t capacity)
{
    const char *path = symtab_elf(symtab)->path;

    for (size_t i = 0; i < map->alias_count; i++) {
        const struct symtab_alias *a = &map->aliases[i];
        if (!is_in_reach(symtab, a->from, a->size) || !is_in_reach(symtab, a->to, a->size)) {
            snprintf(text, capacity,
                     "--alias 0x%" PRIx64 "=0x%" PRIx64 "+0x%" PRIx64
                     " is beyond the 32-bit addresses of %s",
                     a->from, a->to, a->size, path);
            return false;
        }
    }
    for (size_t i = 0; i < map->region_count; i++) {
        const struct elf_region *r = &map->regions[i];
        if (!is_in_reach(symtab, r->start, r->size)) {
            snprintf(text, capacity, "--region %s is beyond the 32-bit addresses of %s", r->name,
                     path);
            return false;
        }
    }
    return true;
}

static bool join(struct symtab *symtab, const char *path, char *text, size_t capacity)
{
    const struct symtab_elf *first = symtab_elf(symtab);
    struct symtab *other = NULL;

    if (symtab_load_until(path, signals_stop, &other, text, capacity) != SYMTAB_OK)
        return false;
    const struct symtab_elf *second = symtab_elf(other);
    if (second->machine != first->machine || second->addr_size != first->addr_size ||
        second->big_endian != first->big_endian) {
        snprintf(text, capacity, "%s and %s are for different processors", path, first->path);
        symtab_free(other);
        return false;
    }
    if (symtab_join(symtab, other))
        return true;
    snprintf(text, capacity, "%s: out of memory for its symbols", path);
    symtab_free(other);
    return false;
}

bool elf_apply(const struct elf_map *map, struct symtab *symtab, char *text, size_t capacity)
{
    bool done = true;

    if (!check_reach(map, symtab, text, capacity))
        return false;
    for (size_t i = 0; i < map->more_count; i++) {
        if (!join(symtab, map->more[i], text, capacity))
            return false;
    }
    for (size_t i = 0; done && i < map->alias_count; i++)
        done = symtab_add_alias(symtab, &map->aliases[i]);
    for (size_t i = 0; done && i < map->region_count; i++)
        done = symtab_add_region(symtab, map->regions[i].name, map->regions[i].start,
                                 map->regions[i].size);
    if (!done)
        snprintf(text, capacity, "out of memory");
    return done;
}

/* Functions of a part that others have taken the place of. */
static void say_covered(const struct symtab *symtab, size_t index)
{
    const struct symtab *part = symtab_part(symtab, index), *winner = NULL;
    size_t count, covered = 0;
    const struct symtab_function *f = symtab_functions(part, &count);
    uint64_t first = 0;

    for (size_t i = 0; i < count; i++) {
        const struct symtab *owner = symtab_owner(symtab, f[i].addr);
        if (owner == part)
            continue;
        if (covered++ == 0) {
            first = f[i].addr;
            winner = owner;
        }
    }
    if (covered)
        complain("%s and %s both have code at 0x%08" PRIx64 " (%zu function%s): using names of %s",
                 symtab_elf(winner)->path, symtab_elf(part)->path, first, covered,
                 covered == 1 ? "" : "s", path_base_name(symtab_elf(winner)->path));
}

void elf_apply_say(const struct symtab *symtab)
{
    for (size_t i = 1; i < symtab_part_count(symtab); i++)
        say_covered(symtab, i);
}
