/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites of RISC-V: two compressed nops or one of 4 bytes, or "jal t0, hook". Encodings are those of
 * the RISC-V Instruction Set Manual, Volume I, chapters 2, 16 and 24. */
#include <elf.h>

#include "machines.h"

enum { X0 = 0, SP = 2, T0 = 5 };
enum { MTVEC = 0x305, STVEC = 0x105 };
enum {
    OP_IMM = 0x13,
    AUIPC = 0x17,
    STORE = 0x23,
    AMO = 0x2f,
    OP = 0x33,
    LUI = 0x37,
    OP_32 = 0x3b,
    BRANCH = 0x63,
    JALR = 0x67,
    JAL = 0x6f,
    SYSTEM = 0x73,
};

static size_t nop(const uint8_t *code, size_t len)
{
    if (len >= 2 && read_u16(code) == 0x0001)
        return 2;
    return len >= 4 && read_u32(code) == 0x00000013 ? 4 : 0;
}

/* LPAD, of the extension Zicfilp. */
static size_t landing(const uint8_t *code, size_t len)
{
    return len >= 4 && (read_u32(code) & 0xfff) == 0x017 ? 4 : 0;
}

static bool encode(uint64_t from, uint64_t to, uint8_t bytes[SITE_MAX])
{
    int64_t distance = (int64_t)(to - from);
    uint32_t d = (uint32_t)distance;

    if (!is_within(distance, 21))
        return false;
    write_u32(bytes, bits(d, 20, 20) << 31 | bits(d, 10, 1) << 21 | bits(d, 11, 11) << 20 |
                         bits(d, 19, 12) << 12 | T0 << 7 | JAL);
    return true;
}

static uint64_t jal_target(uint32_t insn, uint64_t from)
{
    uint32_t d = bits(insn, 31, 31) << 20 | bits(insn, 19, 12) << 12 | bits(insn, 20, 20) << 11 |
                 bits(insn, 30, 21) << 1;

    return from + (uint64_t)sign_extend(d, 21);
}

static bool decode(const uint8_t *bytes, uint64_t from, uint64_t *to)
{
    uint32_t insn = read_u32(bytes);

    if ((insn & 0xfff) != (T0 << 7 | JAL))
        return false;
    *to = jal_target(insn, from);
    return true;
}

/* One instruction. Registers are 0 if there is none, or if they are not known. */
struct insn {
    uint32_t word;
    unsigned size;   /* bytes; 0: the code has ended */
    unsigned opcode; /* 0: compressed */
    unsigned to, from, from2;
    bool jumps;
};

/* Of registers that are read, only t0 and sp matter. */
static void read_compressed(struct insn *i, unsigned addr_size)
{
    unsigned quadrant = i->word & 3, function = bits(i->word, 15, 13);
    unsigned r = bits(i->word, 11, 7), r2 = bits(i->word, 6, 2);

    if (quadrant == 0 && function < 4) { /* c.addi4spn, loads */
        i->to = 8 + bits(i->word, 4, 2);
    } else if (quadrant == 1 && function == 4) { /* arithmetic */
        i->to = 8 + bits(i->word, 9, 7);
    } else if (quadrant == 1) {
        i->jumps = function >= 5 || (function == 1 && addr_size == 4);
        if (function < 4 && !i->jumps)
            i->to = r;
        if (function < 2 || (function == 3 && r == SP)) /* c.addi, c.addiw, c.addi16sp */
            i->from = i->to;
    } else if (quadrant == 2 && function == 4) {
        i->jumps = r2 == 0;
        i->to = r2 == 0 ? X0 : r;
        i->from = r2 == 0 || bits(i->word, 12, 12) ? r : X0; /* c.jr, c.jalr, c.add */
        i->from2 = r2;
    } else if (quadrant == 2 && function < 4) {
        i->to = function == 1 || (function == 3 && addr_size == 4) ? X0 : r; /* not to f5 */
        i->from = function == 0 ? r : X0;
    } else if (quadrant == 2 && (function == 6 || (function == 7 && addr_size == 8))) {
        i->from = r2;
    }
}

static void read_full(struct insn *i)
{
    unsigned opcode = i->word & 0x7f;
    bool integer =
        opcode == OP || opcode == OP_32 || opcode == AMO || opcode == STORE || opcode == BRANCH;
    bool fp = opcode == 0x07 || opcode == 0x27 || (opcode >= 0x43 && opcode <= 0x53);
    bool immediate = opcode == LUI || opcode == AUIPC || opcode == JAL;

    i->opcode = opcode;
    i->to = opcode == STORE || opcode == BRANCH || fp ? X0 : bits(i->word, 11, 7);
    if (!immediate && !(fp && opcode >= 0x43) && !(opcode == SYSTEM && i->word & 0x4000))
        i->from = bits(i->word, 19, 15);
    if (integer)
        i->from2 = bits(i->word, 24, 20);
    i->jumps = opcode == BRANCH || opcode == JAL || opcode == JALR;
}

static struct insn read_insn(const struct site_code *code, size_t at)
{
    struct insn i = {.size = 0};

    if (at + 2 > code->len)
        return i;
    i.word = read_u16(code->bytes + at);
    if ((i.word & 3) != 3) {
        i.size = 2;
        read_compressed(&i, code->addr_size);
    } else if (at + 4 <= code->len) {
        i.size = 4;
        i.word = read_u32(code->bytes + at);
        read_full(&i);
    }
    return i;
}

/* MRET, SRET, MNRET and URET. */
static bool returns_from_trap(const struct insn *i)
{
    return i->word == 0x30200073 || i->word == 0x10200073 || i->word == 0x70200073 ||
           i->word == 0x00200073;
}

static bool is_trap_handler(const struct site_code *code, size_t at)
{
    for (struct insn i = read_insn(code, at); i.size != 0; i = read_insn(code, at)) {
        if (returns_from_trap(&i))
            return true;
        at += i.size;
    }
    return false;
}

/* t0 is what the site changes, and nobody else's at the start of a function. */
static const char *refuse(const struct site_code *code, size_t skip)
{
    bool has_frame = false, jumped = false;

    if (is_trap_handler(code, skip))
        return "handles traps (mret or sret)";
    for (struct insn i = read_insn(code, skip); i.size != 0 && !jumped; i = read_insn(code, skip)) {
        if (i.from == T0 || i.from2 == T0)
            return "needs t0, which a call changes";
        if (i.to == SP && (i.from != SP || i.opcode == SYSTEM) && !has_frame)
            return "sets the stack pointer";
        has_frame |= i.to == SP;
        jumped = i.jumps || i.to == T0;
        skip += i.size;
    }
    return NULL;
}

/* Values of registers, as far as a straight look at code tells. */
struct known {
    uint64_t value[32];
    bool is_known[32];
};

/* Keeps what an instruction at pc loads. Returns true if it adds to a known value, or jumps there;
 * *sum is the result then. */
static bool follow(struct known *k, const struct insn *i, uint64_t pc, uint64_t *sum)
{
    uint64_t upper = (uint64_t)(int64_t)(int32_t)(i->word & 0xfffff000);
    bool adds = (i->opcode == OP_IMM || i->opcode == JALR) && bits(i->word, 14, 12) == 0 &&
                k->is_known[i->from];
    bool loads = i->opcode == AUIPC || i->opcode == LUI;

    if (i->size == 2 && (i->word & 0xe003) == 0x6001 && i->to != SP) { /* c.lui */
        loads = true;
        upper = (uint64_t)sign_extend(bits(i->word, 12, 12) << 17 | bits(i->word, 6, 2) << 12, 18);
    }
    if (i->size == 2 && (i->word & 0xe003) == 0x0001 && k->is_known[i->from]) { /* c.addi */
        adds = true;
        *sum = k->value[i->from] +
               (uint64_t)sign_extend(bits(i->word, 12, 12) << 5 | bits(i->word, 6, 2), 6);
    } else if (adds) {
        *sum = k->value[i->from] + (uint64_t)sign_extend(bits(i->word, 31, 20), 12);
    }
    k->is_known[i->to] = i->to != X0 && (loads || (adds && i->opcode != JALR));
    k->value[i->to] = adds ? *sum : i->opcode == AUIPC ? pc + upper : upper;
    return adds;
}

static uint64_t limit(const struct site_code *code, uint64_t addr)
{
    return code->addr_size == 4 ? addr & 0xffffffff : addr;
}

/* Where C.J, or C.JAL of RV32, leads. */
static bool compressed_jump(const struct insn *i, uint64_t pc, unsigned addr_size, uint64_t *to)
{
    uint32_t w = i->word;
    uint32_t d = bits(w, 12, 12) << 11 | bits(w, 8, 8) << 10 | bits(w, 10, 9) << 8 |
                 bits(w, 6, 6) << 7 | bits(w, 7, 7) << 6 | bits(w, 2, 2) << 5 |
                 bits(w, 11, 11) << 4 | bits(w, 5, 3) << 1;

    *to = pc + (uint64_t)sign_extend(d, 12);
    return i->size == 2 && ((w & 0xe003) == 0xa001 || ((w & 0xe003) == 0x2001 && addr_size == 4));
}

static void references(const struct site_code *code, const struct site_taker *taker)
{
    struct known k = {.is_known = {false}};
    size_t at = 0;

    for (struct insn i = read_insn(code, at); i.size != 0; i = read_insn(code, at)) {
        uint64_t pc = code->addr + at, to;
        if (i.opcode == JAL)
            taker->take(taker->context, limit(code, jal_target(i.word, pc)));
        if (compressed_jump(&i, pc, code->addr_size, &to))
            taker->take(taker->context, limit(code, to));
        if (follow(&k, &i, pc, &to))
            taker->take(taker->context, limit(code, to));
        at += i.size;
    }
}

/* What is written to mtvec or stvec, without the mode in the lowest bits. */
static void handlers(const struct site_code *code, const struct site_taker *taker)
{
    struct known k = {.is_known = {false}};
    size_t at = 0;

    for (struct insn i = read_insn(code, at); i.size != 0; i = read_insn(code, at)) {
        unsigned csr = bits(i.word, 31, 20), function = bits(i.word, 14, 12);
        uint64_t sum;
        if (i.opcode == SYSTEM && function == 1 && (csr == MTVEC || csr == STVEC) &&
            k.is_known[i.from])
            taker->take(taker->context, limit(code, k.value[i.from] & ~(uint64_t)3));
        (void)follow(&k, &i, code->addr + at, &sum);
        at += i.size;
    }
}

const struct site_machine site_riscv = {
    .machine = EM_RISCV,
    .option = "-fpatchable-function-entry=2",
    .far = "is too far from the hook (1 MB)",
    .size = 4,
    .calls = 1,
    .nops = {{0x01, 0x00, 0x01, 0x00}, {0x13, 0x00, 0x00, 0x00}},
    .nop = nop,
    .landing = landing,
    .encode = encode,
    .decode = decode,
    .refuse = refuse,
    .references = references,
    .handlers = handlers,
};
