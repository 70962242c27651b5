/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps from entry to entry, and reads the few attributes that say where code was inlined. */
#include "entries.h"

#include <dwarf.h>

static void skip_varying(struct cursor *c, uint64_t form)
{
    switch (form) {
    case DW_FORM_string:
        (void)cursor_text(c);
        break;
    case DW_FORM_block1:
        cursor_skip(c, cursor_byte(c));
        break;
    case DW_FORM_block2:
        cursor_skip(c, cursor_number(c, 2));
        break;
    case DW_FORM_block4:
        cursor_skip(c, cursor_number(c, 4));
        break;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        cursor_skip(c, cursor_leb(c, false));
        break;
    default:
        (void)cursor_leb(c, false);
    }
}

struct entries entries_at(const struct units *units, const struct unit_shapes *shapes,
                          Dwarf_Off offset)
{
    return (struct entries){
        .units = units,
        .shapes = shapes,
        .c = {.bytes = units->info,
              .at = offset < units->info_len ? (size_t)offset : units->info_len,
              .end = units->info_len,
              .big_endian = units->section.big_endian},
    };
}

bool entries_next(struct entries *e, struct entry *entry)
{
    const struct unit_shapes *s = e->shapes;

    entry->offset = e->c.at;
    uint64_t number = cursor_leb(&e->c, false);
    entry->shape = NULL;
    entry->attributes = e->c.at;
    if (number == 0)
        return !e->c.over && budget_work(e->units->budget, 1);
    if (number >= s->count || s->list[number].tag == 0)
        return false;
    const struct abbreviation *a = entry->shape = &s->list[number];
    if (a->size != UINT32_MAX) {
        cursor_skip(&e->c, a->size);
        return !e->c.over && budget_work(e->units->budget, 1 + a->count / 4);
    }
    const struct attribute *one = &s->attributes[a->first];
    const struct attribute *end = one + a->count;
    while (one < end) {
        if (one->size >= 0) {
            cursor_skip(&e->c, one->run);
            one += one->left;
        } else {
            skip_varying(&e->c, one->form);
            one++;
        }
    }
    return !e->c.over && budget_work(e->units->budget, 1 + (e->c.at - entry->attributes) / 16);
}

/* A constant of any form that is a plain number; false: it is none. */
static bool read_number(struct cursor *c, const struct attribute *a, uint64_t *value)
{
    switch (a->form) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
        *value = cursor_number(c, (size_t)a->size);
        return true;
    case DW_FORM_udata:
        *value = cursor_leb(c, false);
        return true;
    case DW_FORM_implicit_const:
        *value = (uint64_t)a->constant;
        return a->constant >= 0;
    default:
        return false;
    }
}

static bool read_reference(const struct unit_shapes *s, struct cursor *c, const struct attribute *a,
                           uint64_t *value)
{
    switch (a->form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
        *value = s->start + cursor_number(c, (size_t)a->size);
        return true;
    case DW_FORM_ref_udata:
        *value = s->start + cursor_leb(c, false);
        return true;
    case DW_FORM_ref_addr:
        *value = cursor_number(c, (size_t)a->size);
        return true;
    default:
        return false;
    }
}

static bool read_high(struct cursor *c, const struct attribute *a, struct entry_facts *f)
{
    f->has_high = true;
    if (a->form == DW_FORM_addr) {
        f->high = cursor_number(c, (size_t)a->size);
        return true;
    }
    bool good = read_number(c, a, &f->high);
    f->high += f->low; /* which compilers write before it; else it is unclear */
    return good && f->has_low;
}

static bool read_ranges(struct cursor *c, const struct attribute *a, struct entry_facts *f)
{
    f->has_ranges = true;
    if (a->form != DW_FORM_sec_offset && a->form != DW_FORM_data4)
        return false;
    f->ranges = cursor_number(c, (size_t)a->size);
    return true;
}

/* A copy of the cursor: what is read or not does not matter to the caller. */
static bool read_attribute(const struct unit_shapes *s, struct cursor c, const struct attribute *a,
                           struct entry_facts *f)
{
    switch (a->name) {
    case DW_AT_abstract_origin:
        return read_reference(s, &c, a, &f->origin);
    case DW_AT_low_pc:
        f->has_low = true;
        f->low = a->form == DW_FORM_addr ? cursor_number(&c, (size_t)a->size) : 0;
        return a->form == DW_FORM_addr;
    case DW_AT_high_pc:
        return read_high(&c, a, f);
    case DW_AT_ranges:
        return read_ranges(&c, a, f);
    case DW_AT_call_line:
        return read_number(&c, a, &f->call_line);
    case DW_AT_call_file:
        return read_number(&c, a, &f->call_file);
    default:
        return true;
    }
}

struct entry_facts entries_read(const struct entries *e, const struct entry *entry)
{
    const struct unit_shapes *s = e->shapes;
    struct entry_facts facts = {.origin = 0};
    struct cursor c = e->c;

    c.at = entry->attributes;
    for (uint32_t i = 0; i < entry->shape->count; i++) {
        const struct attribute *a = &s->attributes[entry->shape->first + i];
        facts.unclear |= !read_attribute(s, c, a, &facts);
        if (a->size >= 0)
            cursor_skip(&c, (uint64_t)a->size);
        else
            skip_varying(&c, a->form);
    }
    return facts;
}
