/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks through a function by the lengths of its instructions. */
#include "instructions.h"

#include <string.h>

/* Bytes of the instruction that begins with this halfword: of Thumb (Arm v7-M Architecture
 * Reference Manual, A5.1), and of RISC-V (The RISC-V Instruction Set Manual, 1.5). */
static uint64_t thumb_len(unsigned halfword)
{
    return halfword >> 11 >= 0x1d ? 4 : 2;
}

static uint64_t riscv_len(unsigned halfword)
{
    return (halfword & 3) == 3 ? 4 : 2;
}

bool instruction_is_split(const struct symtab *symtab, uint64_t addr)
{
    const struct symtab_elf *elf = symtab_elf(symtab);
    const struct symtab_function *f = symtab_find(symtab, addr);
    bool thumb = strcmp(elf->arch, "arm") == 0;
    size_t len;

    if (!f || elf->big_endian || (!thumb && strcmp(elf->arch, "riscv") != 0))
        return false;
    const uint8_t *bytes = symtab_constant(symtab, f->addr, &len);
    uint64_t at = 0, end = addr - f->addr;
    while (bytes && at < end && at + 1 < len) {
        unsigned halfword = bytes[at] | (unsigned)bytes[at + 1] << 8;
        at += thumb ? thumb_len(halfword) : riscv_len(halfword);
    }
    return bytes && at > end;
}
