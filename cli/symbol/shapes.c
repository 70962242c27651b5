/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the abbreviations of a unit (DWARF 5, section 7.5.3). */
#include "entries.h"

#include <dwarf.h>
#include <stdlib.h>

#include "pile.h"

/* Compilers number them from 1 on without gaps. */
#define NUMBER_MAX ((uint64_t)1 << 16)

struct reader {
    struct unit_shapes *shapes;
    struct cursor c;
    struct pile list, attributes;
};

static bool read_unit(const struct units *units, const struct unit *unit, struct unit_shapes *s,
                      Dwarf_Off *abbreviations)
{
    Dwarf_Die root, same;
    Dwarf_Addr base;
    Dwarf_Half version;

    if (!dwarf_offdie(units->dwarf, unit->entry, &root) ||
        !dwarf_cu_die(root.cu, &same, &version, abbreviations, &s->address_size, &s->offset_size,
                      NULL, NULL))
        return false;
    s->start = unit->entry - dwarf_cuoffset(&root);
    s->version = version;
    if (dwarf_lowpc(&root, &base) == 0)
        s->base = base;
    return true;
}

/* Sums up what can be skipped at once. */
static void join_runs(struct attribute *attributes, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        struct attribute *a = &attributes[i];
        bool more = i + 1 < count && attributes[i + 1].size >= 0;
        if (a->size < 0)
            continue;
        a->run = (uint32_t)a->size + (more ? attributes[i + 1].run : 0);
        a->left = 1 + (more ? attributes[i + 1].left : 0);
    }
}

static bool read_attributes(struct reader *r, struct abbreviation *a)
{
    struct attribute one;

    a->first = (uint32_t)r->attributes.count;
    for (;;) {
        one = (struct attribute){.name = (uint32_t)cursor_leb(&r->c, false)};
        one.form = (uint32_t)cursor_leb(&r->c, false);
        if (one.form == DW_FORM_implicit_const)
            one.constant = (int64_t)cursor_leb(&r->c, true);
        if (r->c.over || (one.name == 0 && one.form == 0))
            break;
        one.size = shapes_form_size(r->shapes, one.form);
        if (one.size == -1)
            a->size = UINT32_MAX;
        else if (a->size != UINT32_MAX)
            a->size += (uint32_t)one.size;
        if (one.size < -1 || !pile_push(&r->attributes, &one, sizeof(one)))
            return false;
    }
    a->count = (uint32_t)r->attributes.count - a->first;
    if (a->count != 0)
        join_runs((struct attribute *)r->attributes.items + a->first, a->count);
    return !r->c.over;
}

static bool read_all(struct reader *r)
{
    const struct abbreviation none = {.tag = 0};

    for (;;) {
        struct abbreviation a = {.tag = 0};
        uint64_t number = cursor_leb(&r->c, false);
        if (number == 0)
            return !r->c.over;
        if (number >= NUMBER_MAX)
            return false;
        a.tag = (uint32_t)cursor_leb(&r->c, false);
        a.children = cursor_byte(&r->c) != 0;
        if (!read_attributes(r, &a))
            return false;
        if (!budget_work(r->list.budget, 1 + a.count))
            return false;
        while (r->list.count <= number)
            if (!pile_push(&r->list, &none, sizeof(none)))
                return false;
        ((struct abbreviation *)r->list.items)[number] = a;
    }
}

struct unit_shapes *shapes_read(const struct units *units, const struct unit *unit)
{
    struct unit_shapes *s = calloc(1, sizeof(*s));
    struct reader r = {
        .shapes = s, .list = {.budget = units->budget}, .attributes = {.budget = units->budget}};
    Dwarf_Off offset = 0;

    if (!s)
        return NULL;
    bool good = units->info && units->abbreviations && read_unit(units, unit, s, &offset) &&
                offset < units->abbreviations_len;
    r.c = (struct cursor){.bytes = units->abbreviations,
                          .at = good ? (size_t)offset : 0,
                          .end = units->abbreviations_len};
    if (good && read_all(&r)) {
        s->list = r.list.items;
        s->count = r.list.count;
        s->attributes = r.attributes.items;
        s->attribute_count = r.attributes.count;
        s->taken = r.list.taken + r.attributes.taken;
        return s;
    }
    pile_free(&r.list);
    pile_free(&r.attributes);
    free(s);
    return NULL;
}

void shapes_free(struct unit_shapes *shapes)
{
    if (!shapes)
        return;
    free(shapes->list);
    free(shapes->attributes);
    free(shapes);
}

size_t shapes_bytes(const struct unit_shapes *shapes)
{
    return (size_t)shapes->taken;
}
