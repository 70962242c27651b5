/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF line number programs (DWARF 5, section 6.2), as far as addresses and lines go. */
#include "line_program.h"

#include <dwarf.h>

/* Bytes that cannot be overrun: past the end it gives zeros and says so. */
struct cursor {
    const uint8_t *bytes;
    size_t at, end;
    bool big_endian;
    bool over;
};

struct header {
    unsigned min_length;
    int line_base;
    unsigned line_range;
    unsigned opcode_base;
    uint8_t operands[256]; /* of the standard opcodes */
};

struct machine {
    const struct header *h;
    const struct line_program_sink *sink;
    uint64_t addr, file, line;
};

static uint64_t take(struct cursor *c, size_t size)
{
    uint64_t value = 0;

    if (size > c->end - c->at) {
        c->over = true;
        c->at = c->end;
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        uint64_t byte = c->bytes[c->at + i];
        if (c->big_endian)
            value = value << 8 | byte;
        else if (i < sizeof(value))
            value |= byte << (8 * i);
    }
    c->at += size;
    return value;
}

static uint64_t take_leb(struct cursor *c, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint64_t byte;

    do {
        byte = take(c, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += shift < 64 ? 7 : 0;
    } while (byte & 0x80);
    if (is_signed && shift < 64 && (byte & 0x40))
        value |= ~(uint64_t)0 << shift;
    return value;
}

/* A length that may be escaped to 64 bits; *wide says how offsets behind it are stored. */
static uint64_t take_length(struct cursor *c, size_t *wide)
{
    uint64_t length = take(c, 4);

    *wide = 4;
    if (length < 0xfffffff0)
        return length;
    *wide = 8;
    if (length != 0xffffffff)
        c->over = true;
    return take(c, 8);
}

/* Leaves the cursor at the first opcode, with the program's end as its end. */
static bool read_header(struct cursor *c, struct header *h)
{
    size_t wide;
    uint64_t length = take_length(c, &wide);

    if (c->over || length > c->end - c->at)
        return false;
    c->end = c->at + (size_t)length;
    uint64_t version = take(c, 2);
    if (version < 2 || version > 5)
        return false;
    if (version >= 5)
        take(c, 2);
    uint64_t header_length = take(c, wide);
    if (c->over || header_length > c->end - c->at)
        return false;
    size_t program = c->at + (size_t)header_length;
    h->min_length = (unsigned)take(c, 1);
    /* More than one operation an instruction is for VLIW machines, which we have none of. */
    if (version >= 4 && take(c, 1) > 1)
        return false;
    take(c, 1);
    h->line_base = (int8_t)take(c, 1);
    h->line_range = (unsigned)take(c, 1);
    h->opcode_base = (unsigned)take(c, 1);
    for (unsigned i = 1; i < h->opcode_base; i++)
        h->operands[i] = (uint8_t)take(c, 1);
    if (c->over || h->line_range == 0 || h->opcode_base == 0 || c->at > program)
        return false;
    c->at = program;
    return true;
}

static void reset(struct machine *m)
{
    m->addr = 0;
    m->file = 1;
    m->line = 1;
}

static bool say_row(const struct machine *m)
{
    return m->sink->row(m->sink->context, m->addr, m->file, m->line);
}

static void advance(struct machine *m, uint64_t operations)
{
    m->addr += operations * m->h->min_length;
}

static bool do_special(struct machine *m, unsigned opcode)
{
    unsigned adjusted = opcode - m->h->opcode_base;

    advance(m, adjusted / m->h->line_range);
    m->line += (uint64_t)(int64_t)(m->h->line_base + (int)(adjusted % m->h->line_range));
    return say_row(m);
}

static bool do_extended(struct machine *m, struct cursor *c)
{
    uint64_t length = take_leb(c, false);
    bool go_on = true;

    if (length == 0 || length > c->end - c->at)
        return false;
    size_t next = c->at + (size_t)length;
    switch (take(c, 1)) {
    case DW_LNE_set_address:
        m->addr = length - 1 <= 8 ? take(c, (size_t)length - 1) : 0;
        break;
    case DW_LNE_end_sequence:
        go_on = m->sink->end(m->sink->context, m->addr);
        reset(m);
        break;
    default:
        break;
    }
    c->at = next;
    return go_on;
}

static bool do_standard(struct machine *m, struct cursor *c, unsigned opcode)
{
    switch (opcode) {
    case DW_LNS_copy:
        return say_row(m);
    case DW_LNS_advance_pc:
        advance(m, take_leb(c, false));
        return true;
    case DW_LNS_advance_line:
        m->line += take_leb(c, true);
        return true;
    case DW_LNS_set_file:
        m->file = take_leb(c, false);
        return true;
    case DW_LNS_const_add_pc:
        advance(m, (255 - m->h->opcode_base) / m->h->line_range);
        return true;
    case DW_LNS_fixed_advance_pc:
        m->addr += take(c, 2);
        return true;
    default:
        for (unsigned i = 0; i < m->h->operands[opcode]; i++)
            take_leb(c, false);
        return true;
    }
}

bool line_program_run(const uint8_t *bytes, size_t len, uint64_t offset, bool big_endian,
                      const struct line_program_sink *sink)
{
    struct cursor c = {.bytes = bytes, .end = len, .big_endian = big_endian};
    struct header h = {.min_length = 0};
    struct machine m = {.h = &h, .sink = sink};
    bool go_on = true;

    if (offset >= len)
        return false;
    c.at = (size_t)offset;
    if (!read_header(&c, &h))
        return false;
    reset(&m);
    while (go_on && !c.over && c.at < c.end) {
        unsigned opcode = (unsigned)take(&c, 1);
        if (opcode >= h.opcode_base)
            go_on = do_special(&m, opcode);
        else if (opcode == 0)
            go_on = do_extended(&m, &c);
        else
            go_on = do_standard(&m, &c, opcode);
    }
    return go_on && !c.over;
}
