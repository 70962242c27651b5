/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls, jumps and what else does not go on, of three instruction sets. */
#include <model/flow.h>

#include <elf.h>

static uint32_t half(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static uint32_t word(const uint8_t *b)
{
    return half(b) | half(b + 2) << 16;
}

/* A field of bits as a signed number. */
static int64_t sign(uint32_t value, unsigned bits)
{
    uint32_t top = (uint32_t)1 << (bits - 1);

    return (int64_t)(value & (top - 1)) - (int64_t)(value & top);
}

static void go(struct flow *f, enum flow_kind kind, uint64_t target)
{
    f->kind = kind;
    f->target = target;
}

static void branch(struct flow *f, uint64_t target)
{
    go(f, FLOW_JUMP, target);
    f->maybe = true;
}

/* B, BL and the conditional B of 32 bits (ARMv7-M Architecture Reference Manual, A7.7.12 and .18).
 */
static void thumb_branch(uint32_t first, uint32_t second, uint64_t addr, struct flow *f)
{
    uint32_t s = first >> 10 & 1, j1 = second >> 13 & 1, j2 = second >> 11 & 1;
    uint32_t low = second & 0x7ff;

    if ((second & 0x5000) == 0) { /* conditional; or a system instruction, if it has no condition */
        uint32_t offset = s << 20 | j2 << 19 | j1 << 18 | (first & 0x3f) << 12 | low << 1;
        if ((first & 0x380) != 0x380)
            branch(f, addr + 4 + (uint64_t)sign(offset, 21));
        return;
    }
    uint32_t offset =
        s << 24 | (j1 == s) << 23 | (j2 == s) << 22 | (first & 0x3ff) << 12 | low << 1;

    go(f, second & 0x4000 ? FLOW_CALL : FLOW_JUMP, addr + 4 + (uint64_t)sign(offset, 25));
}

static void thumb_wide(uint32_t first, uint32_t second, uint64_t addr, struct flow *f)
{
    f->len = 4;
    if ((first & 0xf800) == 0xf000 && (second & 0x8000) != 0)
        thumb_branch(first, second, addr, f);
    else if ((first & 0xfff0) == 0xe8d0 && (second & 0xffe0) == 0xf000) /* TBB, TBH */
        f->kind = FLOW_BREAK;
    else if ((first & 0xfe50) == 0xe810 && (second & 0x8000) != 0) /* LDM with pc */
        f->kind = FLOW_BREAK;
    else if ((first & 0xff70) == 0xf850 && second >> 12 == 15) /* LDR pc */
        f->kind = FLOW_BREAK;
}

static void thumb(uint32_t i, uint64_t addr, struct flow *f)
{
    if ((i & 0xf000) == 0xd000 && (i & 0x0e00) != 0x0e00) /* B with a condition */
        branch(f, addr + 4 + (uint64_t)sign((i & 0xff) << 1, 9));
    else if ((i & 0xf800) == 0xe000) /* B */
        go(f, FLOW_JUMP, addr + 4 + (uint64_t)sign((i & 0x7ff) << 1, 12));
    else if ((i & 0xf500) == 0xb100) /* CBZ, CBNZ */
        branch(f, addr + 4 + ((i >> 3 & 0x1f) << 1 | (i >> 9 & 1) << 6));
    else if ((i & 0xff80) == 0x4700 || (i & 0xff00) == 0xbd00) /* BX, POP with pc */
        f->kind = FLOW_BREAK;
    else if ((i & 0xfd87) == 0x4487) /* ADD, MOV to pc */
        f->kind = FLOW_BREAK;
    else if ((i & 0xff00) == 0xde00) /* UDF */
        f->kind = FLOW_BREAK;
}

/* RISC-V Unprivileged ISA, 2.5. */
static void riscv_wide(uint32_t i, uint64_t addr, struct flow *f)
{
    unsigned rd = i >> 7 & 31;

    switch (i & 0x7f) {
    case 0x63: { /* branches */
        uint32_t offset =
            (i >> 31) << 12 | (i >> 7 & 1) << 11 | (i >> 25 & 0x3f) << 5 | (i >> 8 & 0xf) << 1;
        branch(f, addr + (uint64_t)sign(offset, 13));
        break;
    }
    case 0x6f: { /* JAL */
        uint32_t offset =
            (i >> 31) << 20 | (i >> 12 & 0xff) << 12 | (i >> 20 & 1) << 11 | (i >> 21 & 0x3ff) << 1;
        go(f, rd ? FLOW_CALL : FLOW_JUMP, addr + (uint64_t)sign(offset, 21));
        break;
    }
    case 0x67: /* JALR */
        f->kind = rd ? FLOW_ON : FLOW_BREAK;
        break;
    }
}

/* AUIPC and JALR through the same register are a call, or a jump, to anywhere. */
static bool riscv_pair(uint32_t i, uint32_t next, uint64_t addr, struct flow *f)
{
    unsigned through = i >> 7 & 31;

    if ((i & 0x7f) != 0x17 || (next & 0x707f) != 0x67 || (next >> 15 & 31) != through)
        return false;
    f->len = 8;
    go(f, next >> 7 & 31 ? FLOW_CALL : FLOW_JUMP,
       addr + (uint64_t)sign(i & 0xfffff000, 32) + (uint64_t)sign(next >> 20, 12));
    return true;
}

/* The same, 16.4. */
static void riscv_short(uint32_t i, bool wide, uint64_t addr, struct flow *f)
{
    uint32_t jump = (i >> 12 & 1) << 11 | (i >> 11 & 1) << 4 | (i >> 9 & 3) << 8 |
                    (i >> 8 & 1) << 10 | (i >> 7 & 1) << 6 | (i >> 6 & 1) << 7 | (i >> 3 & 7) << 1 |
                    (i >> 2 & 1) << 5;
    uint32_t distance = (i >> 12 & 1) << 8 | (i >> 10 & 3) << 3 | (i >> 5 & 3) << 6 |
                        (i >> 3 & 3) << 1 | (i >> 2 & 1) << 5;

    switch (i & 0xe003) {
    case 0x2001: /* C.JAL; C.ADDIW where addresses have 64 bits */
        if (!wide)
            go(f, FLOW_CALL, addr + (uint64_t)sign(jump, 12));
        break;
    case 0xa001: /* C.J */
        go(f, FLOW_JUMP, addr + (uint64_t)sign(jump, 12));
        break;
    case 0xc001: /* C.BEQZ, C.BNEZ */
    case 0xe001:
        branch(f, addr + (uint64_t)sign(distance, 9));
        break;
    case 0x8002: /* C.JR; C.JALR is a call */
        if ((i & 0x107f) == 2 || i == 0x9002)
            f->kind = FLOW_BREAK;
        break;
    }
}

static bool decode_thumb(const uint8_t *b, size_t len, uint64_t addr, struct flow *f)
{
    if (len < 2)
        return false;
    uint32_t first = half(b);

    f->len = 2;
    if (first >> 11 < 0x1d)
        thumb(first, addr, f);
    else if (len >= 4)
        thumb_wide(first, half(b + 2), addr, f);
    else
        return false;
    return true;
}

static bool decode_riscv(const uint8_t *b, size_t len, bool wide, uint64_t addr, struct flow *f)
{
    if (len < 2 || ((b[0] & 3) == 3 && len < 4))
        return false;
    f->len = (b[0] & 3) == 3 ? 4 : 2;
    if (f->len == 2)
        riscv_short(half(b), wide, addr, f);
    else if (len < 8 || !riscv_pair(word(b), word(b + 4), addr, f))
        riscv_wide(word(b), addr, f);
    return true;
}

static bool decode_x86(const uint8_t *b, size_t len, uint64_t addr, struct flow *f)
{
    f->len = 1;
    if (len >= 5 && (b[0] == 0xe8 || b[0] == 0xe9)) {
        f->len = 5;
        uint64_t target = addr + 5 + (uint64_t)sign(word(b + 1), 32);
        go(f, b[0] == 0xe8 ? FLOW_CALL : FLOW_JUMP, target);
    }
    return len != 0;
}

bool flow_decode(const struct symtab_elf *machine, const uint8_t *bytes, size_t len, uint64_t addr,
                 struct flow *flow)
{
    bool done = false;

    *flow = (struct flow){.kind = FLOW_ON};
    if (machine->machine == EM_ARM)
        done = decode_thumb(bytes, len, addr, flow);
    else if (machine->machine == EM_RISCV)
        done = decode_riscv(bytes, len, machine->addr_size == 8, addr, flow);
    else if (machine->machine == EM_X86_64)
        done = decode_x86(bytes, len, addr, flow);
    if (machine->addr_size == 4)
        flow->target &= UINT32_MAX;
    return done;
}

bool flow_is_complete(const struct symtab_elf *machine)
{
    return machine->machine == EM_ARM || machine->machine == EM_RISCV;
}
