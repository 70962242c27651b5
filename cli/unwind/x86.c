/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x86-64: stacks by frame information only, which its compilers always make. */
#include <elf.h>

#include "machine.h"

/* Whether the size bytes are an indirect CALL (FF /2). */
static bool is_indirect(const uint8_t *insn, size_t size)
{
    unsigned mode = insn[1] >> 6, rm = insn[1] & 7;
    bool sib = mode != 3 && rm == 4;
    size_t wanted = 2 + sib;

    if (mode == 1)
        wanted += 1;
    else if (mode == 2 || (mode == 0 && rm == 5) || (mode == 0 && sib && (insn[2] & 7) == 5))
        wanted += 4;
    return insn[0] == 0xff && (insn[1] >> 3 & 7) == 2 && wanted == size;
}

static bool call_before(uint64_t addr, const uint8_t *before, size_t len, struct call *call)
{
    *call = (struct call){.direct = false};
    if (len >= 5 && before[len - 5] == 0xe8) {
        uint64_t distance = (uint64_t)(int64_t)(int32_t)read_u32(before + len - 4);
        *call = (struct call){.direct = true, .target = addr + distance};
        return true;
    }
    for (size_t size = 2; size <= 7 && size <= len; size++) {
        if (is_indirect(before + len - size, size))
            return true;
    }
    return false;
}

const struct machine machine_x86 = {
    .elf = EM_X86_64,
    .sp = 7,
    .ra = 16,
    .scratch = 0x10f37, /* all but rbx, rbp, rsp, r12 to r15 */
    .needed = (uint64_t)1 << UNWIND_PC | 0x80,
    .useful = (uint64_t)1 << UNWIND_PC | 0xf0c8,
    .call_before = call_before,
};
