/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the abbreviations of a unit (DWARF 5, section 7.5.3). */
#include "entries.h"

#include <dwarf.h>
#include <stdlib.h>

#include <budget/vec.h>

/* Compilers number them from 1 on without gaps. */
#define NUMBER_MAX ((uint64_t)1 << 16)

struct reader {
    struct unit_shapes *shapes;
    struct cursor c;
    struct budget_vec list, attributes;
};

/* How long attributes of a form are; not all forms are known. */
enum length { LENGTH_UNKNOWN, LENGTH_FIXED, LENGTH_VARIES, LENGTH_ADDRESS, LENGTH_OFFSET };

struct form {
    uint8_t length; /* enum length */
    uint8_t bytes;  /* of LENGTH_FIXED */
};

/* DWARF 5, section 7.5.6. */
static const struct form forms[] = {
    [DW_FORM_implicit_const] = {LENGTH_FIXED, 0}, [DW_FORM_flag_present] = {LENGTH_FIXED, 0},
    [DW_FORM_data1] = {LENGTH_FIXED, 1},          [DW_FORM_ref1] = {LENGTH_FIXED, 1},
    [DW_FORM_flag] = {LENGTH_FIXED, 1},           [DW_FORM_strx1] = {LENGTH_FIXED, 1},
    [DW_FORM_addrx1] = {LENGTH_FIXED, 1},         [DW_FORM_data2] = {LENGTH_FIXED, 2},
    [DW_FORM_ref2] = {LENGTH_FIXED, 2},           [DW_FORM_strx2] = {LENGTH_FIXED, 2},
    [DW_FORM_addrx2] = {LENGTH_FIXED, 2},         [DW_FORM_strx3] = {LENGTH_FIXED, 3},
    [DW_FORM_addrx3] = {LENGTH_FIXED, 3},         [DW_FORM_data4] = {LENGTH_FIXED, 4},
    [DW_FORM_ref4] = {LENGTH_FIXED, 4},           [DW_FORM_strx4] = {LENGTH_FIXED, 4},
    [DW_FORM_addrx4] = {LENGTH_FIXED, 4},         [DW_FORM_ref_sup4] = {LENGTH_FIXED, 4},
    [DW_FORM_data8] = {LENGTH_FIXED, 8},          [DW_FORM_ref8] = {LENGTH_FIXED, 8},
    [DW_FORM_ref_sig8] = {LENGTH_FIXED, 8},       [DW_FORM_ref_sup8] = {LENGTH_FIXED, 8},
    [DW_FORM_data16] = {LENGTH_FIXED, 16},        [DW_FORM_addr] = {LENGTH_ADDRESS, 0},
    [DW_FORM_strp] = {LENGTH_OFFSET, 0},          [DW_FORM_line_strp] = {LENGTH_OFFSET, 0},
    [DW_FORM_sec_offset] = {LENGTH_OFFSET, 0},    [DW_FORM_strp_sup] = {LENGTH_OFFSET, 0},
    [DW_FORM_ref_addr] = {LENGTH_OFFSET, 0},      [DW_FORM_string] = {LENGTH_VARIES, 0},
    [DW_FORM_block] = {LENGTH_VARIES, 0},         [DW_FORM_block1] = {LENGTH_VARIES, 0},
    [DW_FORM_block2] = {LENGTH_VARIES, 0},        [DW_FORM_block4] = {LENGTH_VARIES, 0},
    [DW_FORM_exprloc] = {LENGTH_VARIES, 0},       [DW_FORM_sdata] = {LENGTH_VARIES, 0},
    [DW_FORM_udata] = {LENGTH_VARIES, 0},         [DW_FORM_ref_udata] = {LENGTH_VARIES, 0},
    [DW_FORM_strx] = {LENGTH_VARIES, 0},          [DW_FORM_addrx] = {LENGTH_VARIES, 0},
    [DW_FORM_rnglistx] = {LENGTH_VARIES, 0},      [DW_FORM_loclistx] = {LENGTH_VARIES, 0},
};

static enum length length_of(const struct unit_shapes *s, uint64_t form)
{
    if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt)
        return LENGTH_OFFSET;
    if (form == DW_FORM_ref_addr && s->version == 2)
        return LENGTH_ADDRESS;
    return form < sizeof(forms) / sizeof(forms[0]) ? forms[form].length : LENGTH_UNKNOWN;
}

/* Bytes of an attribute of that form, -1: they vary, -2: not known. */
static int form_size(const struct unit_shapes *s, uint64_t form)
{
    switch (length_of(s, form)) {
    case LENGTH_FIXED:
        return forms[form].bytes;
    case LENGTH_ADDRESS:
        return s->address_size;
    case LENGTH_OFFSET:
        return s->offset_size;
    case LENGTH_VARIES:
        return -1;
    case LENGTH_UNKNOWN:
        break;
    }
    return -2;
}

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
        one.size = form_size(r->shapes, one.form);
        if (one.size == -1)
            a->size = UINT32_MAX;
        else if (a->size != UINT32_MAX)
            a->size += (uint32_t)one.size;
        if (one.size < -1 || !budget_vec_push(&r->attributes, &one, sizeof(one)))
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
            if (!budget_vec_push(&r->list, &none, sizeof(none)))
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
    budget_vec_free(&r.list);
    budget_vec_free(&r.attributes);
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
