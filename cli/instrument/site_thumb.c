/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites of Thumb code: three nops, or "push {lr}; bl hook". Encodings are those of the ARMv7-M
 * Architecture Reference Manual, A5 to A7. */
#include <elf.h>
#include <string.h>

#include "machines.h"

#define PUSH_LR 0xb500

/* Numbers of special registers: those that are a stack pointer, or choose one. */
enum { MSP = 8, PSP = 9, CONTROL = 20 };

/* Instructions of a function's start that are looked at. */
#define START_MAX 16

static bool is_wide(unsigned half)
{
    return half >= 0xe800;
}

static size_t nop(const uint8_t *code, size_t len)
{
    if (len >= 2 && (read_u16(code) == 0xbf00 || read_u16(code) == 0x46c0))
        return 2;
    return len >= 4 && read_u32(code) == 0x8000f3af ? 4 : 0;
}

/* BTI */
static size_t landing(const uint8_t *code, size_t len)
{
    return len >= 4 && read_u32(code) == 0x800ff3af ? 4 : 0;
}

static bool encode(uint64_t from, uint64_t to, uint8_t bytes[SITE_MAX])
{
    int64_t distance = (int64_t)(to - (from + 6));
    uint32_t d = (uint32_t)distance, s = bits(d, 24, 24);

    if (!is_within(distance, 25))
        return false;
    write_u16(bytes, PUSH_LR);
    write_u16(bytes + 2, 0xf000 | s << 10 | bits(d, 21, 12));
    write_u16(bytes + 4, 0xd000 | (bits(d, 23, 23) ^ s ^ 1) << 13 |
                             (bits(d, 22, 22) ^ s ^ 1) << 11 | bits(d, 11, 1));
    return true;
}

/* Where a BL or B.W at from leads, whose halves are first and second. */
static uint64_t branch_target(unsigned first, unsigned second, uint64_t from)
{
    uint32_t s = bits(first, 10, 10);
    uint32_t i1 = bits(second, 13, 13) ^ s ^ 1, i2 = bits(second, 11, 11) ^ s ^ 1;
    uint32_t d = s << 24 | i1 << 23 | i2 << 22 | bits(first, 9, 0) << 12 | bits(second, 10, 0) << 1;

    return (from + 4 + (uint64_t)sign_extend(d, 25)) & 0xffffffff;
}

static bool is_bl(unsigned first, unsigned second)
{
    return (first & 0xf800) == 0xf000 && (second & 0xd000) == 0xd000;
}

static bool decode(const uint8_t *bytes, uint64_t from, uint64_t *to)
{
    unsigned first = read_u16(bytes + 2), second = read_u16(bytes + 4);

    if (read_u16(bytes) != PUSH_LR || !is_bl(first, second))
        return false;
    *to = branch_target(first, second, from + 2);
    return true;
}

/* What one instruction at a function's start says of the function. */
static const char *judge(unsigned first, unsigned second, bool *last)
{
    bool mrs = first == 0xf3ef && (second & 0xf000) == 0x8000;
    bool msr = (first & 0xfff0) == 0xf380 && (second & 0xff00) == 0x8800;
    unsigned special = second & 0xff;

    if ((mrs || msr) && (special == MSP || special == PSP || special == CONTROL))
        return "switches stacks";
    if ((first & 0xff87) == 0x4685 && first != 0x46bd)
        return "sets the stack pointer";
    if ((first & 0xff78) == 0x4670 || (first & 0xfa0f) == 0xf00e)
        return "reads lr as a value";
    if ((first & 0xffd0) == 0xe900 && (first & 0xf) != 13 && (second & 0x4000))
        return "saves lr away from its stack";
    *last = !(mrs || msr) &&
            ((first & 0xfe00) == 0xb400 || first == 0xe92d || first == 0xf84d || /* saves */
             (first & 0xff00) == 0x4700 || (first & 0xf500) == 0xb100 ||
             (first >= 0xd000 && first < 0xe800) || ((first & 0xf800) == 0xf000 && second >> 15));
    return NULL;
}

/* What gcc makes of __attribute__((interrupt)): mov r0, sp; bic r1, r0, #7; mov sp, r1. */
static bool aligns_stack(const struct site_code *code, size_t at)
{
    static const uint8_t insns[] = {0x68, 0x46, 0x20, 0xf0, 0x07, 0x01, 0x8d, 0x46};

    return code->len - at >= sizeof(insns) && memcmp(code->bytes + at, insns, sizeof(insns)) == 0;
}

/* Code of the compiler saves registers or branches before it does any of that. Naked functions do
 * not. */
static const char *refuse(const struct site_code *code, size_t skip)
{
    bool last = false;

    if (aligns_stack(code, skip))
        skip += 8;
    for (unsigned i = 0; i < START_MAX && !last && skip + 2 <= code->len; i++) {
        unsigned first = read_u16(code->bytes + skip);
        bool wide = is_wide(first);
        if (wide && skip + 4 > code->len)
            break;
        unsigned second = wide ? read_u16(code->bytes + skip + 2) : 0;
        const char *why = judge(first, second, &last);
        if (why)
            return why;
        if (i == 0 && (first & 0xff78) == 0x4668 && first != 0x466f)
            return "is naked: reads sp first";
        skip += wide ? 4 : 2;
    }
    return NULL;
}

/* BL, B, words in the code, and pairs of MOVW and MOVT. */
static void references(const struct site_code *code, const struct site_taker *taker)
{
    uint32_t low[16] = {0};

    for (size_t at = 0; at + 4 <= code->len; at += 2) {
        unsigned first = read_u16(code->bytes + at), second = read_u16(code->bytes + at + 2);
        unsigned to = bits(second, 11, 8);
        uint32_t value = bits(first, 3, 0) << 12 | bits(first, 10, 10) << 11 |
                         bits(second, 14, 12) << 8 | bits(second, 7, 0);
        if ((first & 0xf800) == 0xf000 && (second & 0x9000) == 0x9000)
            taker->take(taker->context, branch_target(first, second, code->addr + at));
        if ((first & 0xf800) == 0xe000)
            taker->take(taker->context,
                        code->addr + at + 4 + (uint64_t)sign_extend(first << 1, 12));
        if ((code->addr + at) % 4 == 0 && first & 1)
            taker->take(taker->context, (first | (uint32_t)second << 16) & ~UINT32_C(1));
        if ((first & 0xfbf0) == 0xf240)
            low[to] = value;
        if ((first & 0xfbf0) == 0xf2c0)
            taker->take(taker->context, (value << 16 | low[to]) & ~UINT32_C(1));
    }
}

const struct site_machine site_thumb = {
    .machine = EM_ARM,
    .option = "-fpatchable-function-entry=3",
    .far = "is too far from the hook (16 MB)",
    .size = 6,
    .calls = 2,
    .nops = {{0x00, 0xbf, 0x00, 0xbf, 0x00, 0xbf}, {0xc0, 0x46, 0xc0, 0x46, 0xc0, 0x46}},
    .nop = nop,
    .landing = landing,
    .encode = encode,
    .decode = decode,
    .refuse = refuse,
    .references = references,
};
