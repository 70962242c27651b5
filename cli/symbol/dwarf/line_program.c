/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF line number programs (DWARF 5, section 6.2), as far as addresses and lines go. */
#include <dwarf/line_program.h>

#include <dwarf.h>

#include <budget/cursor.h>

/* What a special opcode does. */
struct special {
    uint64_t addr, line; /* to be added */
};

struct machine {
    const struct special *specials; /* by opcode; NULL: to be worked out */
    const struct line_header *h;
    const struct line_program_sink *sink;
    struct cursor c;
    struct line_row row;
};

/* A length that may be escaped to 64 bits; *wide says how offsets behind it are stored. */
static uint64_t take_length(struct cursor *c, size_t *wide)
{
    uint64_t length = cursor_number(c, 4);

    *wide = 4;
    if (length < 0xfffffff0)
        return length;
    *wide = 8;
    if (length != 0xffffffff)
        c->over = true;
    return cursor_number(c, 8);
}

/* The parameters of the machine. */
static bool read_machine(struct cursor *c, struct line_header *h)
{
    h->min_length = cursor_byte(c);
    /* More than one operation an instruction is for VLIW machines, which we have none of. */
    if (h->version >= 4 && cursor_byte(c) > 1)
        return false;
    cursor_byte(c);
    h->line_base = (int8_t)cursor_byte(c);
    h->line_range = cursor_byte(c);
    h->opcode_base = cursor_byte(c);
    h->operands = c->bytes + c->at - 1;
    if (h->opcode_base != 0)
        cursor_skip(c, h->opcode_base - 1);
    h->tables = c->at;
    return !c->over && h->line_range != 0 && h->opcode_base != 0 && c->at <= h->program;
}

bool line_header_read(const struct line_section *section, uint64_t offset,
                      struct line_header *header)
{
    struct cursor c = {
        .bytes = section->bytes, .end = section->len, .big_endian = section->big_endian};
    struct line_header h = {.address_size = 0};

    if (offset >= section->len)
        return false;
    c.at = (size_t)offset;
    uint64_t length = take_length(&c, &h.offset_size);
    if (c.over || length > c.end - c.at)
        return false;
    h.end = c.end = c.at + (size_t)length;
    h.version = (unsigned)cursor_number(&c, 2);
    if (h.version < 2 || h.version > 5)
        return false;
    if (h.version >= 5) {
        h.address_size = cursor_byte(&c);
        cursor_byte(&c);
    }
    uint64_t header_length = cursor_number(&c, h.offset_size);
    if (c.over || header_length > c.end - c.at)
        return false;
    h.program = c.at + (size_t)header_length;
    if (!read_machine(&c, &h))
        return false;
    *header = h;
    return true;
}

static void reset(struct machine *m)
{
    m->row = (struct line_row){.file = 1, .line = 1};
}

static bool say_row(struct machine *m)
{
    m->row.next = m->c.at;
    return m->sink->row(m->sink->context, &m->row);
}

static void advance(struct machine *m, uint64_t operations)
{
    m->row.addr += operations * m->h->min_length;
}

static struct special special_of(const struct line_header *h, unsigned opcode)
{
    unsigned adjusted = opcode - h->opcode_base;
    int line = h->line_base + (int)(adjusted % h->line_range);

    return (struct special){.addr = (uint64_t)(adjusted / h->line_range) * h->min_length,
                            .line = (uint64_t)(int64_t)line};
}

static bool do_special(struct machine *m, unsigned opcode)
{
    struct special s = m->specials ? m->specials[opcode] : special_of(m->h, opcode);

    m->row.addr += s.addr;
    m->row.line += s.line;
    return say_row(m);
}

static bool do_extended(struct machine *m)
{
    struct cursor *c = &m->c;
    uint64_t length = cursor_leb(c, false);
    bool go_on = true;

    if (length == 0 || length > c->end - c->at)
        return false;
    size_t next = c->at + (size_t)length;
    switch (cursor_byte(c)) {
    case DW_LNE_set_address:
        m->row.addr = length - 1 <= 8 ? cursor_number(c, (size_t)length - 1) : 0;
        break;
    case DW_LNE_end_sequence:
        go_on = m->sink->end(m->sink->context, m->row.addr);
        reset(m);
        break;
    default:
        break;
    }
    c->at = next;
    return go_on;
}

static bool do_standard(struct machine *m, unsigned opcode)
{
    struct cursor *c = &m->c;

    switch (opcode) {
    case DW_LNS_copy:
        return say_row(m);
    case DW_LNS_advance_pc:
        advance(m, cursor_leb(c, false));
        return true;
    case DW_LNS_advance_line:
        m->row.line += cursor_leb(c, true);
        return true;
    case DW_LNS_set_file:
        m->row.file = cursor_leb(c, false);
        return true;
    case DW_LNS_const_add_pc:
        advance(m, (255 - m->h->opcode_base) / m->h->line_range);
        return true;
    case DW_LNS_fixed_advance_pc:
        m->row.addr += cursor_number(c, 2);
        return true;
    default:
        for (unsigned i = 0; i < m->h->operands[opcode]; i++)
            cursor_leb(c, false);
        return true;
    }
}

bool line_program_run(const struct line_section *section, const struct line_header *header,
                      const struct line_row *from, const struct line_program_sink *sink)
{
    struct machine m = {
        .h = header,
        .sink = sink,
        .c = {.bytes = section->bytes,
              .at = from ? from->next : header->program,
              .end = header->end,
              .big_endian = section->big_endian},
    };
    struct special specials[256];
    bool go_on = true;

    reset(&m);
    if (from) {
        m.row = *from;
    } else { /* a whole program: a division for each opcode is less than one for each row */
        for (unsigned i = header->opcode_base; i < 256; i++)
            specials[i] = special_of(header, i);
        m.specials = specials;
    }
    /* A whole program is counted before, so that the loop is not longer by that. */
    if (!from && section->budget && !budget_work(section->budget, header->end - m.c.at))
        return false;
    size_t before = m.c.at;
    while (go_on && !m.c.over && m.c.at < m.c.end) {
        unsigned opcode = cursor_byte(&m.c);
        if (opcode >= header->opcode_base)
            go_on = do_special(&m, opcode);
        else if (opcode == 0)
            go_on = do_extended(&m);
        else
            go_on = do_standard(&m, opcode);
    }
    if (from && section->budget && !budget_work(section->budget, m.c.at - before))
        return false;
    return go_on && !m.c.over;
}
