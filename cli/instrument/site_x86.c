/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites of x86-64: five bytes of nops, or "call hook". Encodings are those of the Intel 64 and
 * IA-32 Architectures Software Developer's Manual, Volume 2. */
#include <elf.h>
#include <string.h>

#include "machines.h"

#define CALL 0xe8

/* Multi-byte nops as recommended there, and what clang writes for 5 bytes. */
static size_t nop(const uint8_t *code, size_t len)
{
    static const struct {
        size_t size;
        uint8_t bytes[5];
    } nops[] = {
        {1, {0x90}},
        {2, {0x66, 0x90}},
        {3, {0x0f, 0x1f, 0x00}},
        {4, {0x0f, 0x1f, 0x40, 0x00}},
        {4, {0x0f, 0x1f, 0x40, 0x08}},
        {5, {0x0f, 0x1f, 0x44, 0x00, 0x00}},
        {5, {0x0f, 0x1f, 0x44, 0x00, 0x08}},
    };

    for (size_t i = 0; i < sizeof(nops) / sizeof(nops[0]); i++) {
        if (len >= nops[i].size && memcmp(code, nops[i].bytes, nops[i].size) == 0)
            return nops[i].size;
    }
    return 0;
}

/* ENDBR64 */
static size_t landing(const uint8_t *code, size_t len)
{
    return len >= 4 && read_u32(code) == 0xfa1e0ff3 ? 4 : 0;
}

static bool encode(uint64_t from, uint64_t to, uint8_t bytes[SITE_MAX])
{
    int64_t distance = (int64_t)(to - (from + 5));

    if (distance < INT32_MIN || distance > INT32_MAX)
        return false;
    bytes[0] = CALL;
    write_u32(bytes + 1, (uint32_t)distance);
    return true;
}

static bool decode(const uint8_t *bytes, uint64_t from, uint64_t *to)
{
    *to = from + 5 + (uint64_t)sign_extend(read_u32(bytes + 1), 32);
    return bytes[0] == CALL;
}

static bool pops(const uint8_t *code, size_t len)
{
    size_t rex = len >= 1 && (code[0] & 0xf0) == 0x40;

    return len > rex && (code[rex] == 0x8f || (code[rex] & 0xf8) == 0x58);
}

/* Whether the last instructions are IRETQ, and what compilers write after a function that does not
 * return: UD2 or nothing. */
static bool is_trap_handler(const struct site_code *code, size_t skip)
{
    for (size_t back = 2; back <= 4 && skip + back <= code->len; back++) {
        if (read_u16(code->bytes + code->len - back) == 0xcf48)
            return true;
    }
    return false;
}

/* A function of the compiler has nothing of its own on the stack at its start. */
static const char *refuse(const struct site_code *code, size_t skip)
{
    if (pops(code->bytes + skip, code->len - skip))
        return "pops its return address";
    return is_trap_handler(code, skip) ? "handles interrupts (iretq)" : NULL;
}

/* Whether the four bytes at code are a distance: of CALL, JMP, Jcc, or in an operand relative to
 * RIP of LEA, MOV, CALL or JMP. before: bytes that may be looked at before code. */
static bool is_distance(const uint8_t *code, size_t before)
{
    if (before >= 1 && (code[-1] == CALL || code[-1] == 0xe9))
        return true;
    if (before < 2)
        return false;
    bool relative = (code[-1] & 0xc7) == 0x05;
    return (code[-2] == 0x0f && (code[-1] & 0xf0) == 0x80) ||
           (relative && (code[-2] == 0x8d || code[-2] == 0x8b || code[-2] == 0xff));
}

/* Whether bytes at code are a constant: of MOV to a register, or PUSH. */
static bool is_constant(const uint8_t *code, size_t before)
{
    return before >= 1 && ((code[-1] & 0xf8) == 0xb8 || code[-1] == 0x68 ||
                           (before >= 2 && code[-2] == 0xc7 && (code[-1] & 0xf8) == 0xc0));
}

/* Instructions are not told apart, so each byte may begin one. */
static void references(const struct site_code *code, const struct site_taker *taker)
{
    for (size_t at = 1; at + 4 <= code->len; at++) {
        const uint8_t *bytes = code->bytes + at;
        uint64_t value = read_u32(bytes);
        if (is_distance(bytes, at))
            taker->take(taker->context, code->addr + at + 4 + (uint64_t)sign_extend(value, 32));
        if (!is_constant(bytes, at))
            continue;
        taker->take(taker->context, value);
        if (at + 8 <= code->len)
            taker->take(taker->context, value | (uint64_t)read_u32(bytes + 4) << 32);
    }
}

const struct site_machine site_x86 = {
    .machine = EM_X86_64,
    .option = "-fpatchable-function-entry=5",
    .far = "is too far from the hook (2 GB)",
    .size = 5,
    .calls = 1,
    .line = 64,
    .nops = {{0x90, 0x90, 0x90, 0x90, 0x90}, {0x0f, 0x1f, 0x44, 0x00, 0x00}},
    .nop = nop,
    .landing = landing,
    .encode = encode,
    .decode = decode,
    .refuse = refuse,
    .references = references,
};
