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
    while (said == 2)
        said = new ? read_new(&c, s->address_size, base, range)
                   : read_old(&c, s->address_size, base, range);
    *at = c.at;
    return said;
}
