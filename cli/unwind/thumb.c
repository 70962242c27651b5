/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumb instructions of 16 bits, and which are calls. Encodings are those of the ARMv7-M
 * Architecture Reference Manual, A5 to A7. */
#include "thumb.h"

#include <elf.h>

static struct value unknown(void)
{
    return (struct value){.kind = VALUE_UNKNOWN};
}

static struct value constant(uint32_t value)
{
    return (struct value){.kind = VALUE_CONSTANT, .offset = (int32_t)value};
}

void thumb_add(struct flow_state *s, unsigned to, unsigned from, unsigned other, bool subtract)
{
    const struct value *a = &s->registers[from], *b = &s->registers[other];

    if (b->kind == VALUE_CONSTANT)
        flow_set(s, to, flow_sum(*a, subtract ? -(int64_t)b->offset : b->offset));
    else if (a->kind == VALUE_CONSTANT && !subtract)
        flow_set(s, to, flow_sum(*b, a->offset));
    else
        flow_set(s, to, unknown());
}

void thumb_jump(const struct flow_state *s, struct flow_step *step, unsigned to)
{
    bool is_return = to < FLOW_REGISTERS && s->registers[to].kind == VALUE_ENTRY &&
                     s->registers[to].number == THUMB_LR;

    step->kind = is_return ? FLOW_RETURN : FLOW_INDIRECT;
}

void thumb_push(struct flow_state *s, unsigned mask)
{
    struct value sp = s->registers[THUMB_SP];

    for (unsigned i = 16; i > 0; i--) {
        if (!(mask >> (i - 1) & 1))
            continue;
        sp = flow_sum(sp, -4);
        flow_store(s, sp, s->registers[i - 1]);
    }
    flow_set(s, THUMB_SP, sp);
}

void thumb_load_many(struct flow_state *s, struct flow_step *step, struct value from, unsigned mask)
{
    for (unsigned i = 0; i < 16; i++) {
        if (!(mask >> i & 1))
            continue;
        struct value value = flow_load(s, from);
        if (i == THUMB_PC)
            step->kind = FLOW_RETURN;
        else
            flow_set(s, i, value);
        from = flow_sum(from, 4);
    }
}

void thumb_load_constant(struct flow_state *s, const struct flow_step *step, unsigned to,
                         int64_t distance)
{
    uint64_t from = ((step->addr + 4) & ~(uint64_t)3) + (uint64_t)distance - step->addr;

    if (to < THUMB_PC)
        flow_set(s, to, from + 4 <= step->left ? constant(read_u32(step->code + from)) : unknown());
}

/* 00xxxx: shifts, additions and moves of r0 to r7. */
static void arithmetic(struct flow_state *s, unsigned insn)
{
    unsigned low = insn & 7, high = bits(insn, 10, 8), from = bits(insn, 5, 3);
    struct value *a = &s->registers[from];

    switch (bits(insn, 13, 11)) {
    case 0: /* LSLS: with 0, MOVS */
        if (bits(insn, 10, 6) == 0)
            flow_set(s, low, *a);
        else
            flow_set(s, low,
                     a->kind == VALUE_CONSTANT ? constant((uint32_t)a->offset << bits(insn, 10, 6))
                                               : unknown());
        break;
    case 3:
        if (insn & 0x400)
            flow_set(s, low,
                     flow_sum(*a, insn & 0x200 ? -(int)bits(insn, 8, 6) : (int)bits(insn, 8, 6)));
        else
            thumb_add(s, low, from, bits(insn, 8, 6), insn & 0x200);
        break;
    case 4:
        flow_set(s, high, constant(insn & 0xff));
        break;
    case 5: /* CMP */
        break;
    case 6:
    case 7:
        flow_set(
            s, high,
            flow_sum(s->registers[high], insn & 0x800 ? -(int)(insn & 0xff) : (int)(insn & 0xff)));
        break;
    default:
        flow_set(s, low, unknown());
    }
}

/* 010000: other operations of r0 to r7. */
static void operation(struct flow_state *s, unsigned insn)
{
    unsigned op = bits(insn, 9, 6), low = insn & 7;
    const struct value *from = &s->registers[bits(insn, 5, 3)];

    if (op == 8 || op == 10 || op == 11) /* TST, CMP, CMN */
        return;
    if (op == 9 && from->kind == VALUE_CONSTANT) /* RSBS */
        flow_set(s, low, constant(0 - (uint32_t)from->offset));
    else
        flow_set(s, low, unknown());
}

/* 010001: operations of all registers, BX and BLX. */
static void high_registers(struct flow_state *s, struct flow_step *step, unsigned insn)
{
    unsigned to = (insn & 7) | bits(insn, 7, 7) << 3, from = bits(insn, 6, 3);

    switch (bits(insn, 9, 8)) {
    case 0:
        if (to == THUMB_PC)
            step->kind = FLOW_INDIRECT;
        else
            thumb_add(s, to, to, from, false);
        break;
    case 1:
        break;
    case 2:
        if (to == THUMB_PC)
            thumb_jump(s, step, from);
        else if (from == THUMB_PC)
            flow_set(s, to, unknown());
        else
            flow_set(s, to, s->registers[from]);
        break;
    default:
        if (insn & 0x80)
            step->kind = FLOW_CALL;
        else
            thumb_jump(s, step, from);
    }
}

/* Loads and stores of one register; offset is not known if it is in a register. */
static void one_register(struct flow_state *s, unsigned insn)
{
    unsigned op = bits(insn, 15, 12), low = insn & 7, high = bits(insn, 10, 8);
    bool load = insn & 0x800;
    struct value from = flow_sum(s->registers[bits(insn, 5, 3)], 4 * (int)bits(insn, 10, 6));

    if (op == 5) {
        if (bits(insn, 11, 9) >= 3)
            flow_set(s, low, unknown());
    } else if (op == 9) {
        from = flow_sum(s->registers[THUMB_SP], 4 * (int)(insn & 0xff));
        if (load)
            flow_set(s, high, flow_load(s, from));
        else
            flow_store(s, from, s->registers[high]);
    } else if (op == 6 && !load) {
        flow_store(s, from, s->registers[low]);
    } else if (load) {
        flow_set(s, low, op == 6 ? flow_load(s, from) : unknown());
    }
}

static void split_block(struct flow_state *s, struct flow_step *step, unsigned condition,
                        unsigned mask)
{
    unsigned count = 4, skipped = 0;

    while (!(mask >> (4 - count) & 1))
        count--;
    for (unsigned i = 1; i < count; i++)
        skipped |= ((mask >> (4 - i) & 1) != (condition & 1)) << i;
    s->it_left = count;
    s->it_skipped = skipped;
    step->other_skipped = ~skipped & 0xf;
    step->kind = FLOW_SPLIT;
}

/* 1011: the rest. */
static void miscellaneous(struct flow_state *s, struct flow_step *step, unsigned insn)
{
    unsigned low = insn & 7, top = bits(insn, 11, 8);
    int size = 4 * (int)(insn & 0x7f);
    struct value sp = s->registers[THUMB_SP];

    if (top == 0) {
        flow_set(s, THUMB_SP, flow_sum(sp, insn & 0x80 ? -size : size));
    } else if ((top & 5) == 1) { /* CBZ, CBNZ */
        step->kind = FLOW_BRANCH;
        step->target = step->addr + 4 + (bits(insn, 9, 9) << 6 | bits(insn, 7, 3) << 1);
    } else if ((top & 0xe) == 4) {
        thumb_push(s, (insn & 0xff) | bits(insn, 8, 8) << THUMB_LR);
    } else if ((top & 0xe) == 0xc) {
        unsigned mask = (insn & 0xff) | bits(insn, 8, 8) << THUMB_PC;
        flow_set(s, THUMB_SP, flow_sum(sp, 4 * __builtin_popcount(mask)));
        thumb_load_many(s, step, sp, mask);
    } else if (top == 2 || top == 0xa) { /* extensions, REV */
        flow_set(s, low, unknown());
    } else if (top == 0xf && insn & 0xf) {
        split_block(s, step, bits(insn, 7, 4), insn & 0xf);
    }
}

/* 1100: LDM and STM of r0 to r7. */
static void many_registers(struct flow_state *s, struct flow_step *step, unsigned insn)
{
    unsigned base = bits(insn, 10, 8), mask = insn & 0xff;
    struct value from = s->registers[base];
    struct value end = flow_sum(from, 4 * __builtin_popcount(mask));

    if (insn & 0x800) {
        thumb_load_many(s, step, from, mask);
        if (mask >> base & 1)
            return;
    } else {
        for (unsigned i = 0; i < 8; i++) {
            if (!(mask >> i & 1))
                continue;
            flow_store(s, from, s->registers[i]);
            from = flow_sum(from, 4);
        }
    }
    flow_set(s, base, end);
}

/* 11010 to 11100: branches, UDF and SVC. */
static void branch(struct flow_state *s, struct flow_step *step, unsigned insn)
{
    unsigned condition = bits(insn, 11, 8);

    if (bits(insn, 15, 12) == 0xe) {
        step->kind = FLOW_JUMP;
        step->target = step->addr + 4 + (uint64_t)sign_extend(insn << 1, 12);
    } else if (condition == 14) {
        step->kind = FLOW_RETURN;
    } else if (condition == 15) {
        flow_forget(s, step->scratch & ~((uint64_t)1 << THUMB_LR));
    } else {
        step->kind = FLOW_BRANCH;
        step->target = step->addr + 4 + (uint64_t)sign_extend(insn << 1, 9);
    }
}

static void execute_narrow(struct flow_state *s, struct flow_step *step, unsigned insn)
{
    unsigned top = insn >> 10, high = bits(insn, 10, 8);

    if (top < 0x10)
        arithmetic(s, insn);
    else if (top == 0x10)
        operation(s, insn);
    else if (top == 0x11)
        high_registers(s, step, insn);
    else if (top < 0x14)
        thumb_load_constant(s, step, high, 4 * (int)(insn & 0xff));
    else if (top < 0x28)
        one_register(s, insn);
    else if (top < 0x2a)
        flow_set(s, high, unknown()); /* ADR */
    else if (top < 0x2c)
        flow_set(s, high, flow_sum(s->registers[THUMB_SP], 4 * (int)(insn & 0xff)));
    else if (top < 0x30)
        miscellaneous(s, step, insn);
    else if (top < 0x34)
        many_registers(s, step, insn);
    else
        branch(s, step, insn);
}

static void execute(struct flow_state *s, struct flow_step *step)
{
    unsigned first = read_u16(step->code);

    step->size = first >= 0xe800 ? 4 : 2;
    if (step->size > step->left)
        step->size = 0;
    else if (step->size == 2)
        execute_narrow(s, step, first);
    else
        thumb_execute_wide(s, step, first, read_u16(step->code + 2));
}

/* BL; BLX and BLXNS with a register. */
static bool call_before(uint64_t addr, const uint8_t *before, size_t len, struct call *call)
{
    unsigned second = len >= 2 ? read_u16(before + len - 2) : 0;
    unsigned first = len >= 4 ? read_u16(before + len - 4) : 0;

    if ((first & 0xf800) == 0xf000 && (second & 0xd000) == 0xd000) {
        *call = (struct call){.direct = true, .target = thumb_target(first, second, addr - 4)};
        return true;
    }
    *call = (struct call){.direct = false};
    return (second & 0xff80) == 0x4780 && ((second & 7) == 0 || (second & 7) == 4);
}

const struct machine machine_arm = {
    .elf = EM_ARM,
    .sp = THUMB_SP,
    .ra = THUMB_LR,
    .scratch = 0x500f,
    .needed = (uint64_t)1 << UNWIND_PC | 0x6000,
    .useful =
        (uint64_t)1 << UNWIND_PC | (uint64_t)1 << UNWIND_MSP | (uint64_t)1 << UNWIND_PSP | 0x6ff0,
    .thumb = true,
    .call_before = call_before,
    .execute = execute,
};
