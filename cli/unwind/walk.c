/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads memory and registers for a walk. */
#include "walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"

enum step walk_fail(struct walk *walk, enum step step, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(walk->why, WALK_WHY, format, args);
    va_end(args);
    return step;
}

static bool read_bytes(const struct unwind_memory *memory, uint64_t addr, void *to, size_t len)
{
    uint64_t at = addr - memory->addr;

    if (addr >= memory->addr && at < memory->len && len <= memory->len - at) {
        memcpy(to, memory->bytes + at, len);
        return true;
    }
    return memory->read && memory->read(memory->context, addr, to, len);
}

bool walk_word(struct walk *walk, uint64_t addr, unsigned size, uint64_t *value)
{
    uint8_t bytes[8] = {0};

    if (size > sizeof(bytes) || !read_bytes(walk->memory, addr, bytes, size)) {
        (void)walk_fail(walk, STEP_NO_MEMORY, "memory at 0x%" PRIx64 " was not read", addr);
        return false;
    }
    *value = read_u32(bytes) | (uint64_t)read_u32(bytes + 4) << 32;
    return true;
}

bool walk_register(struct walk *walk, unsigned number, uint64_t *value)
{
    *value = walk->registers.value[number];
    if (walk->registers.known >> number & 1)
        return true;
    (void)walk_fail(walk, STEP_NO_MEMORY,
                    number == UNWIND_PSP ? "PSP is not known (register %u)"
                                         : "register %u is not known",
                    number);
    return false;
}
