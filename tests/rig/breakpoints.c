/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints of the core: the flash patch unit's, and BKPT instructions written into memory. */
#include "breakpoints.h"

/* Registers of the flash patch and breakpoint unit, version 1: ARMv7-M manual, C1.11. */
#define FP_CTRL         0x000U
#define FP_COMP0        0x008U
#define FP_CTRL_KEY     2U
#define FP_CTRL_ENABLE  1U
#define FP_CTRL_COUNTS  (FPB_CODE << 4 | (FPB_COMPARES - FPB_CODE) << 8)
#define COMP_ENABLE     1U
#define COMP_ADDRESS    0x1ffffffcU
#define COMP_LOWER_HALF (1U << 30)
#define COMP_UPPER_HALF (2U << 30)
#define COMP_WRITABLE   (COMP_ENABLE | COMP_ADDRESS | COMP_LOWER_HALF | COMP_UPPER_HALF)

#define BKPT_MASK   0xff00U
#define BKPT_OPCODE 0xbe00U

static int compare_index(uint32_t offset)
{
    if (offset < FP_COMP0 || offset >= FP_COMP0 + 4U * FPB_COMPARES)
        return -1;
    return (int)(offset - FP_COMP0) / 4;
}

uint32_t breakpoints_fpb_read(const struct breakpoints *points, uint32_t offset)
{
    int index = compare_index(offset);

    if (offset == FP_CTRL)
        return FP_CTRL_COUNTS | (points->fpb_enabled ? FP_CTRL_ENABLE : 0U);
    return index < 0 ? 0 : points->fpb_compare[index];
}

void breakpoints_fpb_write(struct breakpoints *points, uint32_t offset, uint32_t value)
{
    int index = compare_index(offset);

    if (offset == FP_CTRL && (value & FP_CTRL_KEY)) {
        points->changed |= points->fpb_enabled != (bool)(value & FP_CTRL_ENABLE);
        points->fpb_enabled = value & FP_CTRL_ENABLE;
    } else if (index >= 0) {
        value &= COMP_WRITABLE;
        points->changed |= points->fpb_compare[index] != value;
        points->fpb_compare[index] = value;
    }
}

static void forget_bkpt(struct breakpoints *points, uint32_t addr, unsigned size)
{
    int kept = 0;

    for (int i = 0; i < points->bkpt_count; i++) {
        uint32_t at = points->bkpt[i].addr;
        if (at + 2 <= addr || at >= addr + size)
            points->bkpt[kept++] = points->bkpt[i];
    }
    points->changed |= kept != points->bkpt_count;
    points->bkpt_count = kept;
}

bool breakpoints_memory_write(struct breakpoints *points, uint32_t addr, unsigned size,
                              uint32_t value)
{
    forget_bkpt(points, addr, size);
    if (size != 2 || (value & BKPT_MASK) != BKPT_OPCODE || points->bkpt_count == BKPT_MAX)
        return false;
    points->bkpt[points->bkpt_count++] = (struct bkpt){.addr = addr, .opcode = (uint16_t)value};
    points->changed = true;
    return true;
}

uint32_t breakpoints_memory_read(const struct breakpoints *points, uint32_t addr, unsigned size,
                                 uint32_t value)
{
    for (int i = 0; i < points->bkpt_count; i++) {
        for (uint32_t byte = 0; byte < 2; byte++) {
            uint32_t at = points->bkpt[i].addr + byte - addr;
            if (at >= size)
                continue;
            uint32_t seen = points->bkpt[i].opcode >> 8U * byte & 0xffU;
            value = (value & ~(0xffU << 8U * at)) | seen << 8U * at;
        }
    }
    return value;
}

static bool holds(const uint32_t *list, int count, uint32_t addr)
{
    for (int i = 0; i < count; i++)
        if (list[i] == addr)
            return true;
    return false;
}

static int add(uint32_t *list, int count, uint32_t addr)
{
    if (!holds(list, count, addr))
        list[count++] = addr;
    return count;
}

static int wanted(const struct breakpoints *points, uint32_t *list)
{
    int count = 0;

    for (int i = 0; i < points->bkpt_count; i++)
        count = add(list, count, points->bkpt[i].addr);
    for (int i = 0; i < FPB_CODE && points->fpb_enabled; i++) {
        uint32_t compare = points->fpb_compare[i];
        if ((compare & COMP_ENABLE) && (compare & COMP_LOWER_HALF))
            count = add(list, count, compare & COMP_ADDRESS);
        if ((compare & COMP_ENABLE) && (compare & COMP_UPPER_HALF))
            count = add(list, count, (compare & COMP_ADDRESS) + 2U);
    }
    return count;
}

int breakpoints_install(struct breakpoints *points, struct gdbstub *stub)
{
    uint32_t list[BREAKPOINT_MAX];

    if (!points->changed)
        return 0;
    int count = wanted(points, list);
    for (int i = 0; i < points->installed_count; i++)
        if (!holds(list, count, points->installed[i]) &&
            gdbstub_breakpoint(stub, points->installed[i], false) != 0)
            return -1;
    for (int i = 0; i < count; i++)
        if (!holds(points->installed, points->installed_count, list[i]) &&
            gdbstub_breakpoint(stub, list[i], true) != 0)
            return -1;
    for (int i = 0; i < count; i++)
        points->installed[i] = list[i];
    points->installed_count = count;
    points->changed = false;
    return 0;
}
