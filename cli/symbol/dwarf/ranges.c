/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of ranges (DWARF 4, section 2.17.3; DWARF 5, section 2.17.3), but for their rarer forms. */
#include "entries.h"

#include <dwarf.h>

static struct cursor open_list(const struct units *u, bool new, uint64_t offset)
{
    size_t len = new ? u->range_lists_len : u->old_ranges_len;
    const uint8_t *bytes = new ? u->range_lists : u->old_ranges;

    return (struct cursor){.bytes = bytes,
                           .at = offset < len ? (size_t)offset : len,
                           .end = len,
                           .big_endian = u->section.big_endian};
}

/* One pair; 1: a range, 0: the end, 2: neither. */
static int read_old(struct cursor *c, unsigned size, uint64_t *base, struct range *range)
{
    uint64_t largest = size >= 8 ? UINT64_MAX : ((uint64_t)1 << (8 * size)) - 1;
    uint64_t start = cursor_number(c, size);
    uint64_t end = cursor_number(c, size);

    if (c->over || (start == 0 && end == 0))
        return 0;
    if (start == largest) {
        *base = end;
        return 2;
    }
    *range = (struct range){.start = *base + start, .end = *base + end};
    return 1;
}

static int read_new(struct cursor *c, unsigned size, uint64_t *base, struct range *range)
{
    switch (cursor_byte(c)) {
    case DW_RLE_end_of_list:
        return 0;
    case DW_RLE_offset_pair:
        range->start = *base + cursor_leb(c, false);
        range->end = *base + cursor_leb(c, false);
        break;
    case DW_RLE_base_address:
        *base = cursor_number(c, size);
        return c->over ? 0 : 2;
    case DW_RLE_start_end:
        range->start = cursor_number(c, size);
        range->end = cursor_number(c, size);
        break;
    case DW_RLE_start_length:
        range->start = cursor_number(c, size);
        range->end = range->start + cursor_leb(c, false);
        break;
    default:
        return -1;
    }
    return c->over ? 0 : 1;
}

int entries_range(const struct entries *e, const struct entry_facts *facts, uint64_t *at,
                  uint64_t *base, struct range *range)
{
    const struct unit_shapes *s = e->shapes;
    bool new = s->version >= 5;
    int said = 2;

    if (facts->unclear)
        return -1;
    if (!facts->has_ranges) {
        *range = (struct range){.start = facts->low, .end = facts->high};
        return facts->has_low && facts->has_high && (*at)++ == 0;
    }
    if (*at == 0) {
        *at = facts->ranges;
        *base = s->base;
    }
    struct cursor c = open_list(e->units, new, *at);
    if (!c.bytes)
        return 0;
    while (said == 2 && budget_work(e->units->budget, 1))
        said = new ? read_new(&c, s->address_size, base, range)
                   : read_old(&c, s->address_size, base, range);
    *at = c.at;
    return said == 2 ? 0 : said;
}

/* Steps over one entry of a list of DWARF 5; false: it was the last one. */
static bool skip_new(struct cursor *c, unsigned size)
{
    switch (cursor_byte(c)) {
    case DW_RLE_offset_pair:
    case DW_RLE_startx_endx:
    case DW_RLE_startx_length:
        (void)cursor_leb(c, false);
        (void)cursor_leb(c, false);
        break;
    case DW_RLE_base_addressx:
        (void)cursor_leb(c, false);
        break;
    case DW_RLE_base_address:
        cursor_skip(c, size);
        break;
    case DW_RLE_start_end:
        cursor_skip(c, 2 * size);
        break;
    case DW_RLE_start_length:
        cursor_skip(c, size);
        (void)cursor_leb(c, false);
        break;
    default:
        return false;
    }
    return !c->over;
}

static bool skip_old(struct cursor *c, unsigned size)
{
    uint64_t start = cursor_number(c, size);
    uint64_t end = cursor_number(c, size);

    return !c->over && (start != 0 || end != 0);
}

/* Goes through the list before libdw does, which can't be stopped. */
static bool can_afford(const struct units *units, Dwarf_Attribute *list)
{
    Dwarf_Half version = 0;
    Dwarf_Word offset;
    uint8_t size = 0;

    /* What has no offset, libdw does not read either. */
    if (dwarf_formudata(list, &offset) != 0 ||
        dwarf_cu_info(list->cu, &version, NULL, NULL, NULL, NULL, &size, NULL) != 0)
        return budget_work(units->budget, 1);
    struct cursor c = open_list(units, version >= 5, offset);
    while (c.bytes && (version >= 5 ? skip_new(&c, size) : skip_old(&c, size)))
        if (!budget_work(units->budget, 2))
            return false;
    return budget_work(units->budget, 1);
}

bool ranges_each(const struct units *units, Dwarf_Die *die, void *context,
                 bool (*take)(void *context, const struct range *range))
{
    Dwarf_Attribute list;
    struct range range;
    Dwarf_Addr base;
    ptrdiff_t at = 0;
    bool good = true;

    if (dwarf_highpc(die, &range.end) == 0 && dwarf_lowpc(die, &range.start) == 0)
        return take(context, &range);
    if (!dwarf_attr(die, DW_AT_ranges, &list))
        return true;
    good = can_afford(units, &list);
    while (good && (at = dwarf_ranges(die, at, &base, &range.start, &range.end)) > 0)
        good = take(context, &range);
    return good;
}
