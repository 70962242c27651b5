/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites of x86-64: five bytes of nops, or "call hook". Encodings are those of the Intel 64 and
 * IA-32 Architectures Software Developer's Manual, Volume 2. */
#include <elf.h>
#include <string.h>

#include "machines.h"

#define CALL 0xe8

/* Linkers put programs that are not position-independent there. */
#define STATIC_MIN 0x400000

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

/* Instructions are not told apart: each four bytes may be a distance, or an address in a program
 * that is not position-independent; and each eight bytes an address. */
static void references(const struct site_code *code, const struct site_taker *taker)
{
    for (size_t at = 0; at + 4 <= code->len; at++) {
        uint64_t value = read_u32(code->bytes + at);
        taker->take(taker->context, code->addr + at + 4 + (uint64_t)sign_extend(value, 32));
        if (at + 8 <= code->len)
            taker->take(taker->context, value | (uint64_t)read_u32(code->bytes + at + 4) << 32);
        if (value >= STATIC_MIN)
            taker->take(taker->context, value);
    }
}

const struct site_machine site_x86 = {
    .machine = EM_X86_64,
    .option = "-fpatchable-function-entry=5",
    .far = "is too far from the hook (2 GB)",
    .size = 5,
    .calls = 1,
    .nops = {{0x90, 0x90, 0x90, 0x90, 0x90}, {0x0f, 0x1f, 0x44, 0x00, 0x00}},
    .nop = nop,
    .landing = landing,
    .encode = encode,
    .decode = decode,
    .refuse = refuse,
    .references = references,
};
