/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of RISC-V, 32 and 64 bits wide (RISC-V Instruction Set Manual, Volume I, chapters 2,
 * 4 and 16). */
#include <elf.h>

#include "flow.h"

enum { ZERO = 0, RA = 1, SP = 2, T0 = 5 };
enum { MEPC = 0x341, SEPC = 0x141 };
enum {
    LOAD = 0x03,
    LOAD_FP = 0x07,
    FENCE = 0x0f,
    OP_IMM = 0x13,
    OP_IMM_32 = 0x1b,
    STORE = 0x23,
    STORE_FP = 0x27,
    OP = 0x33,
    LUI = 0x37,
    FP_FIRST = 0x43,
    FP_LAST = 0x53,
    OP_V = 0x57,
    BRANCH = 0x63,
    JALR = 0x67,
    JAL = 0x6f,
    SYSTEM = 0x73,
};

static struct value unknown(void)
{
    return (struct value){.kind = VALUE_UNKNOWN};
}

static struct value constant(int64_t value)
{
    return (struct value){.kind = VALUE_CONSTANT, .offset = (int32_t)value};
}

static void set(struct flow_state *s, unsigned to, struct value value)
{
    if (to != ZERO)
        flow_set(s, to, value);
}

static struct value get(const struct flow_state *s, unsigned from)
{
    return from == ZERO ? constant(0) : s->registers[from];
}

/* to = from + distance, which is also how registers are moved. */
static void add_constant(struct flow_state *s, unsigned to, unsigned from, int64_t distance)
{
    struct value value = get(s, from);

    set(s, to, distance == 0 ? value : flow_sum(value, distance));
}

static void add_registers(struct flow_state *s, unsigned to, unsigned a, unsigned b, bool subtract)
{
    struct value x = get(s, a), y = get(s, b);

    if (y.kind == VALUE_CONSTANT)
        set(s, to, y.offset == 0 ? x : flow_sum(x, subtract ? -(int64_t)y.offset : y.offset));
    else if (x.kind == VALUE_CONSTANT && !subtract)
        set(s, to, x.offset == 0 ? y : flow_sum(y, x.offset));
    else
        set(s, to, unknown());
}

static void load(struct flow_state *s, unsigned to, unsigned base, int64_t distance)
{
    set(s, to, flow_load(s, flow_sum(get(s, base), distance)));
}

static void store(struct flow_state *s, unsigned from, unsigned base, int64_t distance)
{
    flow_store(s, flow_sum(get(s, base), distance), get(s, from));
}

/* A jump to the address in a register, with a link. */
static void jump_register(const struct flow_state *s, struct flow_step *step, unsigned link,
                          unsigned to)
{
    struct value value = get(s, to);

    if (link == RA)
        step->kind = FLOW_CALL;
    else if (link != ZERO || (value.kind == VALUE_ENTRY && value.number == RA))
        step->kind = FLOW_RETURN;
    else
        step->kind = FLOW_INDIRECT;
}

static int64_t jal_distance(uint32_t insn)
{
    return sign_extend(bits(insn, 31, 31) << 20 | bits(insn, 19, 12) << 12 |
                           bits(insn, 20, 20) << 11 | bits(insn, 30, 21) << 1,
                       21);
}

static int64_t branch_distance(uint32_t insn)
{
    return sign_extend(bits(insn, 31, 31) << 12 | bits(insn, 7, 7) << 11 | bits(insn, 30, 25) << 5 |
                           bits(insn, 11, 8) << 1,
                       13);
}

/* A call with another link register, of a helper that saves registers, is not followed. */
static void jump(struct flow_step *step, uint32_t insn)
{
    unsigned link = bits(insn, 11, 7);

    step->target = step->addr + (uint64_t)jal_distance(insn);
    step->kind = link == RA ? FLOW_CALL : link == ZERO ? FLOW_JUMP : FLOW_RETURN;
}

static void system(struct flow_state *s, struct flow_step *step, uint32_t insn)
{
    unsigned function = bits(insn, 14, 12), csr = bits(insn, 31, 20), to = bits(insn, 11, 7);
    bool read = function == 2 && bits(insn, 19, 15) == 0;

    if (function != 0)
        set(s, to,
            read && (csr == MEPC || csr == SEPC) ? (struct value){.kind = VALUE_MEPC} : unknown());
    else if (csr == 0x302 || csr == 0x102 || csr == 0x702) /* MRET, SRET, MNRET */
        step->kind = FLOW_RETURN;
    else if (csr == 0) /* ECALL */
        flow_forget(s, (uint64_t)0xff << 10);
}

/* Of floating point, comparisons and what moves or converts to an integer. Of vectors, VSET... and
 * VMV.X.S. Others have the number of another sort of register. */
static bool has_result(uint32_t insn)
{
    unsigned opcode = insn & 0x7f, function = bits(insn, 14, 12);

    if (opcode == FP_LAST)
        return insn >> 31 && !(insn >> 28 & 1);
    if (opcode == OP_V)
        return function == 7 || (function == 2 && bits(insn, 31, 26) == 0x10);
    return opcode != STORE && opcode != BRANCH && opcode != LOAD_FP && opcode != STORE_FP &&
           opcode != FENCE && (opcode < FP_FIRST || opcode > FP_LAST);
}

static void execute_full(struct flow_state *s, struct flow_step *step, uint32_t insn)
{
    unsigned to = bits(insn, 11, 7), from = bits(insn, 19, 15), other = bits(insn, 24, 20);
    unsigned opcode = insn & 0x7f, function = bits(insn, 14, 12);
    unsigned word = step->addr_size == 8 ? 3 : 2; /* of loads and stores of addresses */
    int64_t low = sign_extend(bits(insn, 31, 20), 12);

    if (opcode == OP_IMM && function == 0) {
        add_constant(s, to, from, low);
    } else if (opcode == OP_IMM_32 && function == 0 && get(s, from).kind == VALUE_CONSTANT) {
        add_constant(s, to, from, low);
    } else if (opcode == LUI) {
        set(s, to, constant((int32_t)(insn & 0xfffff000)));
    } else if (opcode == OP && function == 0 && bits(insn, 29, 25) == 0) {
        add_registers(s, to, from, other, insn >> 30 & 1);
    } else if (opcode == LOAD && function == word) {
        load(s, to, from, low);
    } else if (opcode == STORE && function == word) {
        store(s, other, from, sign_extend(bits(insn, 31, 25) << 5 | to, 12));
    } else if (opcode == JAL) {
        jump(step, insn);
    } else if (opcode == JALR) {
        jump_register(s, step, to, from);
    } else if (opcode == BRANCH) {
        step->kind = FLOW_BRANCH;
        step->target = step->addr + (uint64_t)branch_distance(insn);
    } else if (opcode == SYSTEM) {
        system(s, step, insn);
    } else if (has_result(insn)) {
        set(s, to, unknown());
    }
}

/* Compressed ones of the quadrants 0 and 2: loads and stores. Of 32 bits also those of floating
 * point, which have the codes that loads of 8 bytes have of 64 bits. */
static void memory_of_registers(struct flow_state *s, struct flow_step *step, uint32_t w)
{
    unsigned reg = 8 + bits(w, 4, 2), base = 8 + bits(w, 9, 7), function = bits(w, 15, 13);
    int64_t four = bits(w, 12, 10) << 3 | bits(w, 6, 6) << 2 | bits(w, 5, 5) << 6;
    int64_t eight = bits(w, 12, 10) << 3 | bits(w, 6, 5) << 6;
    bool wide = step->addr_size == 8;

    if (function == 0) /* C.ADDI4SPN */
        add_constant(s, reg, SP,
                     bits(w, 12, 11) << 4 | bits(w, 10, 7) << 6 | bits(w, 6, 6) << 2 |
                         bits(w, 5, 5) << 3);
    else if (function == 2 && wide)
        set(s, reg, unknown());
    else if (function == 2 || (function == 3 && wide))
        load(s, reg, base, wide ? eight : four);
    else if ((function == 6 && !wide) || (function == 7 && wide))
        store(s, reg, base, wide ? eight : four);
}

static void memory_of_stack(struct flow_state *s, struct flow_step *step, uint32_t w)
{
    unsigned to = bits(w, 11, 7), from = bits(w, 6, 2), function = bits(w, 15, 13);
    bool wide = step->addr_size == 8;
    int64_t four = bits(w, 12, 12) << 5 | bits(w, 6, 4) << 2 | bits(w, 3, 2) << 6;
    int64_t eight = bits(w, 12, 12) << 5 | bits(w, 6, 5) << 3 | bits(w, 4, 2) << 6;

    if (function == 0 || (function == 2 && wide)) /* C.SLLI, C.LWSP */
        set(s, to, unknown());
    else if (function == 2 || (function == 3 && wide))
        load(s, to, SP, wide ? eight : four);
    else if (function == 6 && !wide)
        store(s, from, SP, bits(w, 12, 9) << 2 | bits(w, 8, 7) << 6);
    else if (function == 7 && wide)
        store(s, from, SP, bits(w, 12, 10) << 3 | bits(w, 9, 7) << 6);
}

static void jump_or_move(struct flow_state *s, struct flow_step *step, uint32_t w)
{
    unsigned to = bits(w, 11, 7), from = bits(w, 6, 2);

    if (from == 0 && to != 0)
        jump_register(s, step, bits(w, 12, 12) ? RA : ZERO, to);
    else if (bits(w, 12, 12))
        add_registers(s, to, to, from, false);
    else
        add_constant(s, to, from, 0);
}

static uint64_t short_target(const struct flow_step *step, uint32_t w)
{
    uint32_t d = bits(w, 12, 12) << 11 | bits(w, 8, 8) << 10 | bits(w, 10, 9) << 8 |
                 bits(w, 6, 6) << 7 | bits(w, 7, 7) << 6 | bits(w, 2, 2) << 5 |
                 bits(w, 11, 11) << 4 | bits(w, 5, 3) << 1;

    return step->addr + (uint64_t)sign_extend(d, 12);
}

static void add_upper(struct flow_state *s, unsigned to, uint32_t w)
{
    if (to == SP) /* C.ADDI16SP */
        add_constant(s, SP, SP,
                     sign_extend(bits(w, 12, 12) << 9 | bits(w, 6, 6) << 4 | bits(w, 5, 5) << 6 |
                                     bits(w, 4, 3) << 7 | bits(w, 2, 2) << 5,
                                 10));
    else /* C.LUI */
        set(s, to, constant(sign_extend(bits(w, 12, 12) << 17 | bits(w, 6, 2) << 12, 18)));
}

static void execute_one(struct flow_state *s, struct flow_step *step, uint32_t w)
{
    unsigned to = bits(w, 11, 7), function = bits(w, 15, 13);
    int64_t low = sign_extend(bits(w, 12, 12) << 5 | bits(w, 6, 2), 6);
    bool wide = step->addr_size == 8;

    if (function == 0) {
        add_constant(s, to, to, low);
    } else if (function == 1 && wide) { /* C.ADDIW */
        if (get(s, to).kind == VALUE_CONSTANT)
            add_constant(s, to, to, low);
        else
            set(s, to, unknown());
    } else if (function == 1 || function == 5) { /* C.JAL, C.J */
        step->kind = function == 1 ? FLOW_CALL : FLOW_JUMP;
        step->target = short_target(step, w);
    } else if (function == 2) {
        set(s, to, constant(low));
    } else if (function == 3) {
        add_upper(s, to, w);
    } else if (function == 4) {
        set(s, 8 + bits(w, 9, 7), unknown());
    } else {
        uint32_t d = bits(w, 12, 12) << 8 | bits(w, 6, 5) << 6 | bits(w, 2, 2) << 5 |
                     bits(w, 11, 10) << 3 | bits(w, 4, 3) << 1;
        step->kind = FLOW_BRANCH;
        step->target = step->addr + (uint64_t)sign_extend(d, 9);
    }
}

static void execute_compressed(struct flow_state *s, struct flow_step *step, uint32_t w)
{
    unsigned quadrant = w & 3;

    if (w == 0 || w == 0x9002) /* not an instruction; C.EBREAK */
        step->kind = FLOW_RETURN;
    else if (quadrant == 0)
        memory_of_registers(s, step, w);
    else if (quadrant == 1)
        execute_one(s, step, w);
    else if (bits(w, 15, 13) == 4)
        jump_or_move(s, step, w);
    else
        memory_of_stack(s, step, w);
}

static void execute(struct flow_state *s, struct flow_step *step)
{
    uint32_t first = read_u16(step->code);

    step->size = (first & 3) == 3 ? 4 : 2;
    if (step->size > step->left)
        step->size = 0;
    else if (step->size == 2)
        execute_compressed(s, step, first);
    else
        execute_full(s, step, read_u32(step->code));
}

/* JAL and JALR that set ra or t0, and C.JAL and C.JALR. */
static bool call_before(uint64_t addr, const uint8_t *before, size_t len, struct call *call)
{
    uint32_t full = len >= 4 ? read_u32(before + len - 4) : 0;
    uint32_t half = len >= 2 ? read_u16(before + len - 2) : 0;
    unsigned link = bits(full, 11, 7);

    *call = (struct call){.direct = false};
    if ((full & 0x7f) == JAL && (link == RA || link == T0)) {
        *call = (struct call){.direct = true, .target = addr - 4 + (uint64_t)jal_distance(full)};
        return true;
    }
    if ((full & 0x707f) == JALR && (link == RA || link == T0))
        return true;
    if ((half & 0xe003) == 0x2001) {
        struct flow_step step = {.addr = addr - 2};
        *call = (struct call){.direct = true, .target = short_target(&step, half)};
        return true;
    }
    return (half & 0xf07f) == 0x9002 && half != 0x9002;
}

/* A handler ends in MRET; one whose end is elsewhere reads mepc and does not return. */
static bool is_trap(const uint8_t *code, size_t len)
{
    bool reads = false, returns = false;

    for (size_t at = 0; at + 2 <= len; at += 2) {
        uint32_t full = at + 4 <= len ? read_u32(code + at) : 0;
        if (full == 0x30200073 || full == 0x10200073 || full == 0x70200073)
            return true;
        reads |= (full & 0xfffff07f) == ((uint32_t)MEPC << 20 | 0x2073) ||
                 (full & 0xfffff07f) == ((uint32_t)SEPC << 20 | 0x2073);
        returns |= read_u16(code + at) == 0x8082 || full == 0x8067;
    }
    return reads && !returns;
}

const struct machine machine_riscv = {
    .elf = EM_RISCV,
    .sp = SP,
    .ra = RA,
    .scratch = 0xf003fce2,
    .needed = (uint64_t)1 << UNWIND_PC | 0x6,
    .useful = (uint64_t)1 << UNWIND_PC | (uint64_t)1 << UNWIND_MEPC | 0xffc0306,
    .call_before = call_before,
    .execute = execute,
    .is_trap = is_trap,
};
