/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers what stands at an address: which file has it there, its function and its lines. */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include <base/sorted.h>
#include <dwarf/enumerators.h>
#include <dwarf/parameters.h>
#include <names/demangle.h>

#include "symtab_private.h"

static const struct symtab_function *own_function(const struct symtab *t, uint64_t addr)
{
    const struct symtab_function *f = spans_find(&t->functions, addr - t->bias);

    return f ? &symtab_public_functions(t)[f - t->functions.functions] : NULL;
}

static bool own_code(const struct symtab *t, uint64_t addr)
{
    uint64_t own = addr - t->bias;

    return image_is_code(&t->image, own) || spans_find(&t->functions, own) != NULL;
}

/* Whose code stands at addr, which is one of images: the first one's, where several have some. */
static size_t owner_of(const struct symtab *t, uint64_t addr)
{
    const struct map *m = &t->map;

    for (size_t i = 0; m->part_count && !own_code(t, addr) && i < m->part_count; i++) {
        if (m->parts[i].used && own_code(m->parts[i].symtab, addr))
            return i + 1;
    }
    return 0;
}

static const struct symtab *part_of(const struct symtab *t, size_t index)
{
    return index == 0 ? t : t->map.parts[index - 1].symtab;
}

static bool own_section(const struct symtab *t, uint64_t addr)
{
    for (size_t i = 0; i < t->image.section_count; i++) {
        const struct section *s = &t->image.sections[i];
        if (s->alloc && addr - t->bias - s->addr < s->size)
            return true;
    }
    return false;
}

bool symtab_has_section(const struct symtab *symtab, uint64_t addr)
{
    const struct map *m = &symtab->map;
    bool found = own_section(symtab, addr);

    for (size_t i = 0; i < m->part_count && !found; i++)
        found = m->parts[i].used && own_section(m->parts[i].symtab, addr);
    return found;
}

bool symtab_add_alias(struct symtab *symtab, const struct symtab_alias *alias)
{
    return map_alias(&symtab->map, alias);
}

const struct symtab_alias *symtab_aliases(const struct symtab *symtab, size_t *count)
{
    *count = symtab->map.alias_count;
    return symtab->map.aliases;
}

bool symtab_add_region(struct symtab *symtab, const char *name, uint64_t start, uint64_t size)
{
    return map_region(&symtab->map, name, start, size);
}

bool symtab_join(struct symtab *symtab, struct symtab *other)
{
    return map_join(&symtab->map, other);
}

size_t symtab_part_count(const struct symtab *symtab)
{
    return 1 + symtab->map.part_count;
}

const struct symtab *symtab_part(const struct symtab *symtab, size_t index)
{
    return part_of(symtab, index);
}

bool symtab_part_is_used(const struct symtab *symtab, size_t index)
{
    return index == 0 || symtab->map.parts[index - 1].used;
}

void symtab_use_part(struct symtab *symtab, size_t index, bool used)
{
    if (index)
        symtab->map.parts[index - 1].used = used;
}

const struct symtab *symtab_owner(const struct symtab *symtab, uint64_t addr)
{
    return part_of(symtab, owner_of(symtab, addr));
}

uint64_t symtab_place(const struct symtab *symtab, uint64_t addr)
{
    return map_region_at(&symtab->map, addr) ? addr : map_place(&symtab->map, addr);
}

const struct symtab_function *symtab_find(const struct symtab *symtab, uint64_t addr)
{
    const struct symtab_function *region = map_region_at(&symtab->map, addr);
    uint64_t place = map_place(&symtab->map, addr);

    return region ? region : own_function(part_of(symtab, owner_of(symtab, place)), place);
}

bool symtab_is_code(const struct symtab *symtab, uint64_t addr)
{
    uint64_t place = map_place(&symtab->map, addr);

    return map_region_at(&symtab->map, addr) ||
           own_code(part_of(symtab, owner_of(symtab, place)), place);
}

/* false: there is no debug information, no memory, or the budget is over. */
static bool open_debug(struct symtab *t)
{
    struct budget *budget = &t->image.budgets->debug;

    if (!budget_resume(budget))
        return false;
    if (!t->debug_tried) {
        t->units = units_open(t->debug);
        t->sources = t->units ? sources_new(t->units) : NULL;
        t->lines = t->sources ? lines_new(t->units, t->sources, &t->functions) : NULL;
        t->inlines = t->sources ? inlines_new(t->units, t->sources, &t->functions) : NULL;
        t->debug_tried = t->units || !budget->stopped; /* who was stopped may ask again */
    }
    return t->lines && t->inlines;
}

/* As part_of(), to be asked what may have to be loaded first; NULL: addr is in a region. */
static struct symtab *open_at(struct symtab *t, uint64_t addr, uint64_t *own)
{
    uint64_t place = map_place(&t->map, addr);

    if (map_region_at(&t->map, addr))
        return NULL;
    size_t index = owner_of(t, place);
    struct symtab *part = index == 0 ? t : t->map.parts[index - 1].symtab;
    *own = place - part->bias;
    return open_debug(part) ? part : NULL;
}

bool symtab_find_line(struct symtab *symtab, uint64_t addr, struct symtab_line *line)
{
    uint64_t own;
    struct symtab *part = open_at(symtab, addr, &own);

    if (!part)
        return false;
    const struct symtab_function *f = spans_find(&part->functions, own);
    return f && f->addr == own ? lines_find_start(part->lines, own, functions_described_by(f), line)
                               : lines_find(part->lines, own, line);
}

size_t symtab_find_inlined(struct symtab *symtab, uint64_t addr, struct symtab_inlined *frames,
                           size_t max)
{
    uint64_t own;
    struct symtab *part = open_at(symtab, addr, &own);
    const struct symtab_function *f = part ? spans_find(&part->functions, own) : NULL;

    return f ? inlines_find(part->inlines, f, own, frames, max) : 0;
}

/* gcc and clang give such copies fewer or other parameters. */
static bool is_changed_copy(const struct symtab_function *f)
{
    const char *symbol = f->symbol ? f->symbol : f->name;

    return strstr(symbol, ".constprop") || strstr(symbol, ".isra") || strstr(symbol, ".part") ||
           strstr(symbol, ".specialized") || strstr(symbol, ".argelim") ||
           strstr(symbol, ".argprom");
}

/* Finds the entry of a function, which may begin after its nops. */
static bool find_entry(struct symtab *part, const struct symtab_function *f, Dwarf_Die *entry)
{
    uint64_t at = f->addr, end = functions_described_by(f);

    while (at < end && !inlines_entry(part->inlines, f, at, entry))
        at += 2;
    return at < end;
}

/* Finds the entry of a function that has the parameters and the result that it is written with.
 * Returns the file that it is of, or NULL. */
static struct symtab *find_unchanged(struct symtab *symtab, uint64_t addr, Dwarf_Die *entry)
{
    uint64_t own;
    struct symtab *part = open_at(symtab, addr, &own);
    const struct symtab_function *f = part ? spans_find(&part->functions, own) : NULL;
    bool found = f && f->addr == own && !is_changed_copy(f) && find_entry(part, f, entry);

    return found ? part : NULL;
}

bool symtab_find_parameters(struct symtab *symtab, uint64_t addr,
                            struct symtab_parameters *parameters)
{
    Dwarf_Die entry;
    struct symtab *part = find_unchanged(symtab, addr, &entry);

    return part && parameters_read(&part->image.budgets->debug, &entry, parameters);
}

bool symtab_find_result(struct symtab *symtab, uint64_t addr, struct symtab_result *result)
{
    Dwarf_Die entry;
    struct symtab *part = find_unchanged(symtab, addr, &entry);

    return part && parameters_read_result(&part->image.budgets->debug, &entry, result);
}

bool symtab_find_enumerator(struct symtab *symtab, uint64_t addr, const struct symtab_type *type,
                            uint64_t value, unsigned size, char *text, size_t capacity)
{
    uint64_t own;
    struct symtab *part = open_at(symtab, addr, &own);
    Dwarf_Die entry;

    return part && type->kind == SYMTAB_TYPE_ENUM &&
           dwarf_offdie(part->units->dwarf, type->entry, &entry) &&
           enumerators_find(&part->image.budgets->debug, &entry, value, size, text, capacity);
}

/* Who was stopped while reading may ask again. */
static bool open_objects(struct symtab *t)
{
    struct budget *budget = &t->image.budgets->symbols;

    if (!t->objects.read && budget_resume(budget)) {
        (void)objects_read(&t->objects, &t->image);
        t->objects.read = !budget->stopped;
    }
    return t->objects.read;
}

bool symtab_find_data(struct symtab *symtab, uint64_t addr, struct symtab_data *data)
{
    uint64_t own = map_place(&symtab->map, addr) - symtab->bias;
    const struct object *o = open_objects(symtab) ? objects_find(&symtab->objects, own) : NULL;
    char text[DEMANGLE_MAX];

    if (!o)
        return false;
    const char *name = demangle(o->symbol, false, text) ? text : o->symbol;
    size_t len = strnlen(name, sizeof(data->name) - 1);
    data->addr = o->addr + symtab->bias;
    data->size = o->size;
    memcpy(data->name, name, len);
    data->name[len] = '\0';
    return true;
}

const uint8_t *symtab_constant(const struct symtab *symtab, uint64_t addr, size_t *len)
{
    const struct segments *segments = &symtab->segments;
    uint64_t place = map_place(&symtab->map, addr);
    size_t up_to = sorted_up_to(
        SORTED_BY(segments->list, segments->count, struct symtab_segment, addr), place);
    const struct symtab_segment *s = up_to != 0 ? &segments->list[up_to - 1] : NULL;

    if (!s || place - s->addr >= s->len)
        return NULL;
    *len = s->len - (size_t)(place - s->addr);
    return s->bytes + (place - s->addr);
}
