/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumb instructions of 32 bits (ARMv7-M Architecture Reference Manual, A5.3). */
#include "thumb.h"

/* Numbers of special registers. */
enum { MSP = 8, CONTROL = 20 };

static struct value unknown(void)
{
    return (struct value){.kind = VALUE_UNKNOWN};
}

static struct value constant(uint32_t value)
{
    return (struct value){.kind = VALUE_CONSTANT, .offset = (int32_t)value};
}

/* Sets what an instruction computes; 15 means that there is no result. */
static void result(struct flow_state *s, unsigned to, struct value value)
{
    if (to < THUMB_PC)
        flow_set(s, to, value);
}

uint64_t thumb_target(unsigned first, unsigned second, uint64_t from)
{
    uint32_t s = bits(first, 10, 10);
    uint32_t i1 = bits(second, 13, 13) ^ s ^ 1, i2 = bits(second, 11, 11) ^ s ^ 1;
    uint32_t d = s << 24 | i1 << 23 | i2 << 22 | bits(first, 9, 0) << 12 | bits(second, 10, 0) << 1;

    return (from + 4 + (uint64_t)sign_extend(d, 25)) & UINT32_MAX;
}

/* LDM and STM. */
static void many(struct flow_state *s, struct flow_step *step, unsigned first, unsigned second)
{
    unsigned base = first & 0xf, mask = second & 0xffff;
    int size = 4 * __builtin_popcount(mask);
    bool down = first & 0x100;
    struct value from = s->registers[base], end = flow_sum(from, down ? -size : size);

    if (down)
        from = end;
    if (first & 0x10) {
        if (first & 0x20)
            flow_set(s, base, end);
        thumb_load_many(s, step, from, mask);
        return;
    }
    for (unsigned i = 0; i < THUMB_PC; i++) {
        if (!(mask >> i & 1))
            continue;
        flow_store(s, from, s->registers[i]);
        from = flow_sum(from, 4);
    }
    if (first & 0x20)
        flow_set(s, base, end);
}

/* LDRD and STRD. */
static void two(struct flow_state *s, unsigned first, unsigned second)
{
    unsigned base = first & 0xf, one = bits(second, 15, 12), other = bits(second, 11, 8);
    int distance = 4 * (int)(second & 0xff);
    struct value from = s->registers[base];
    struct value moved = flow_sum(from, first & 0x80 ? distance : -distance);

    if (first & 0x100)
        from = moved;
    if (first & 0x20)
        flow_set(s, base, moved);
    if (first & 0x10) {
        struct value low = flow_load(s, from), high = flow_load(s, flow_sum(from, 4));
        result(s, one, low);
        result(s, other, high);
    } else {
        flow_store(s, from, s->registers[one]);
        flow_store(s, flow_sum(from, 4), s->registers[other]);
    }
}

/* Exclusive ones, and those with acquire and release; TBB and TBH. */
static void exclusive(struct flow_state *s, struct flow_step *step, unsigned first, unsigned second)
{
    unsigned op = bits(second, 7, 4);

    if ((first & 0xfff0) == 0xe8d0 && op <= 1) {
        step->kind = (first & 0xf) == THUMB_PC ? FLOW_TABLE : FLOW_INDIRECT;
        step->table_base = step->addr + 4;
        step->table_size = op + 1;
    } else if (first & 0x10) {
        result(s, bits(second, 15, 12), unknown());
    } else if ((first & 0x80) == 0) { /* STREX; TT */
        result(s, bits(second, 11, 8), unknown());
    } else {
        result(s, second & 0xf, unknown());
    }
}

/* An operation with a constant, whose result is in bits 11 to 8. */
static void with_constant(struct flow_state *s, unsigned op, unsigned from, unsigned to,
                          uint32_t value)
{
    if (op == 8)
        result(s, to, flow_sum(s->registers[from], (int64_t)value));
    else if (op == 13)
        result(s, to, flow_sum(s->registers[from], -(int64_t)value));
    else if (op == 2 && from == THUMB_PC)
        result(s, to, constant(value));
    else
        result(s, to, unknown());
}

/* ThumbExpandImm() */
static uint32_t expand(uint32_t code)
{
    uint32_t low = code & 0xff, turn = bits(code, 11, 7);

    switch (code >> 8) {
    case 0:
        return low;
    case 1:
        return low << 16 | low;
    case 2:
        return low << 24 | low << 8;
    case 3:
        return low << 24 | low << 16 | low << 8 | low;
    default:
        low |= 0x80;
        return low >> turn | low << (32 - turn);
    }
}

static void immediate(struct flow_state *s, unsigned first, unsigned second)
{
    unsigned to = bits(second, 11, 8), from = first & 0xf;
    uint32_t code = bits(first, 10, 10) << 11 | bits(second, 14, 12) << 8 | (second & 0xff);
    uint32_t wide = from << 12 | code;

    if (!(first & 0x200)) {
        with_constant(s, bits(first, 8, 5), from, to, expand(code));
        return;
    }
    switch (bits(first, 8, 4)) {
    case 0: /* ADDW */
        with_constant(s, 8, from, to, code);
        break;
    case 10: /* SUBW */
        with_constant(s, 13, from, to, code);
        break;
    case 4: /* MOVW */
        result(s, to, constant(wide));
        break;
    case 12: /* MOVT */
        result(s, to,
               s->registers[to & 15].kind == VALUE_CONSTANT
                   ? constant(wide << 16 | ((uint32_t)s->registers[to & 15].offset & 0xffff))
                   : unknown());
        break;
    default:
        result(s, to, unknown());
    }
}

static void branch(struct flow_state *s, struct flow_step *step, unsigned first, unsigned second)
{
    switch (second & 0xd000) {
    case 0xd000:
        step->kind = FLOW_CALL;
        step->target = thumb_target(first, second, step->addr);
        break;
    case 0x9000:
        step->kind = FLOW_JUMP;
        step->target = thumb_target(first, second, step->addr);
        break;
    case 0x8000:
        if (bits(first, 9, 6) < 14) {
            uint32_t d = bits(first, 10, 10) << 20 | bits(second, 11, 11) << 19 |
                         bits(second, 13, 13) << 18 | bits(first, 5, 0) << 12 |
                         bits(second, 10, 0) << 1;
            step->kind = FLOW_BRANCH;
            step->target = step->addr + 4 + (uint64_t)sign_extend(d, 21);
        } else if ((first & 0xfff0) == 0xf7f0) { /* UDF */
            step->kind = FLOW_RETURN;
        } else if ((first & 0xffe0) == 0xf3e0) { /* MRS */
            result(s, bits(second, 11, 8), unknown());
        } else if ((first & 0xffe0) == 0xf380 &&
                   ((second & 0xff) == MSP || (second & 0xff) == CONTROL)) {
            flow_set(s, THUMB_SP, unknown());
        }
        break;
    default:
        step->kind = FLOW_RETURN;
    }
}

/* An operation with a shifted register. */
static void shifted(struct flow_state *s, unsigned first, unsigned second)
{
    unsigned op = bits(first, 8, 5), from = first & 0xf, to = bits(second, 11, 8);
    bool plain = (second & 0x70f0) == 0; /* not shifted */

    if (to == THUMB_PC)
        return;
    if (op == 2 && from == THUMB_PC && plain)
        flow_set(s, to, s->registers[second & 0xf]);
    else if ((op == 8 || op == 13) && plain)
        thumb_add(s, to, from, second & 0xf, op == 13);
    else
        flow_set(s, to, unknown());
}

/* Loads and stores of one register. */
static void one(struct flow_state *s, struct flow_step *step, unsigned first, unsigned second)
{
    unsigned base = first & 0xf, reg = bits(second, 15, 12);
    bool load = first & 0x10, word = bits(first, 6, 5) == 2;
    int distance = (int)(second & 0xff);
    struct value from = s->registers[base], moved;

    if (base == THUMB_PC && load && word) {
        distance = (int)(second & 0xfff);
        thumb_load_constant(s, step, reg, first & 0x80 ? distance : -distance);
        from = unknown();
    } else if (first & 0x80) {
        from = flow_sum(from, second & 0xfff);
    } else if (second & 0x800) {
        moved = flow_sum(from, second & 0x200 ? distance : -distance);
        if (second & 0x400)
            from = moved;
        if (second & 0x100)
            flow_set(s, base, moved);
    } else {
        from = unknown();
    }
    if (!load && word)
        flow_store(s, from, s->registers[reg]);
    else if (load && reg == THUMB_PC && word)
        step->kind = flow_load(s, from).kind == VALUE_ENTRY ? FLOW_RETURN : FLOW_INDIRECT;
    else if (load && base != THUMB_PC)
        result(s, reg, word ? flow_load(s, from) : unknown());
}

/* Of a coprocessor: VPUSH, VPOP and VSTM move the stack pointer; moves to one or two registers. */
static void coprocessor(struct flow_state *s, unsigned first, unsigned second)
{
    unsigned base = first & 0xf, op = bits(first, 8, 4);
    int size = 4 * (int)(second & 0xff);

    if ((first & 0xff00) == 0xee00 && first & 0x10 && second & 0x10) {
        result(s, bits(second, 15, 12), unknown()); /* VMOV, MRC */
    } else if ((first & 0xffe0) == 0xec40) {
        if (first & 0x10) {
            result(s, bits(second, 15, 12), unknown());
            result(s, base, unknown());
        }
    } else if ((first & 0xfe00) == 0xec00 && op & 2) { /* writes the base */
        flow_set(s, base, flow_sum(s->registers[base], first & 0x80 ? size : -size));
    }
}

static void other(struct flow_state *s, unsigned first, unsigned second)
{
    unsigned high = bits(second, 11, 8);

    result(s, high, unknown());
    if ((first & 0xff80) == 0xfb80) /* with two results */
        result(s, bits(second, 15, 12), unknown());
}

void thumb_execute_wide(struct flow_state *state, struct flow_step *step, unsigned first,
                        unsigned second)
{
    if (first == 0xe97f && second == 0xe97f) /* SG */
        return;
    if ((first & 0xfe40) == 0xe800)
        many(state, step, first, second);
    else if ((first & 0xfe40) == 0xe840 && (first & 0x120) == 0)
        exclusive(state, step, first, second);
    else if ((first & 0xfe40) == 0xe840)
        two(state, first, second);
    else if ((first & 0xfe00) == 0xea00)
        shifted(state, first, second);
    else if ((first & 0xec00) == 0xec00)
        coprocessor(state, first, second);
    else if ((first & 0xf800) == 0xf000 && second & 0x8000)
        branch(state, step, first, second);
    else if ((first & 0xf800) == 0xf000)
        immediate(state, first, second);
    else if ((first & 0xfe00) == 0xf800)
        one(state, step, first, second);
    else
        other(state, first, second);
}
