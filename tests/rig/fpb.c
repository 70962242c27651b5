/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flash patch and breakpoint unit of a Cortex-M3. */
#include "fpb.h"

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

static int compare_index(uint32_t offset)
{
    if (offset < FP_COMP0 || offset >= FP_COMP0 + 4U * FPB_COMPARES)
        return -1;
    return (int)(offset - FP_COMP0) / 4;
}

uint32_t fpb_read(const struct fpb *fpb, uint32_t offset)
{
    int index = compare_index(offset);

    if (offset == FP_CTRL)
        return FP_CTRL_COUNTS | (fpb->enabled ? FP_CTRL_ENABLE : 0U);
    return index < 0 ? 0 : fpb->compare[index];
}

static void tell(const struct fpb *fpb, struct breakpoints *points)
{
    uint32_t list[2 * FPB_CODE];
    int count = 0;

    for (int i = 0; i < FPB_CODE && fpb->enabled; i++) {
        uint32_t compare = fpb->compare[i];
        if ((compare & COMP_ENABLE) && (compare & COMP_LOWER_HALF))
            list[count++] = compare & COMP_ADDRESS;
        if ((compare & COMP_ENABLE) && (compare & COMP_UPPER_HALF))
            list[count++] = (compare & COMP_ADDRESS) + 2U;
    }
    breakpoints_set_unit(points, list, count);
}

void fpb_write(struct fpb *fpb, uint32_t offset, uint32_t value, struct breakpoints *points)
{
    int index = compare_index(offset);

    if (offset == FP_CTRL && (value & FP_CTRL_KEY))
        fpb->enabled = value & FP_CTRL_ENABLE;
    else if (index >= 0)
        fpb->compare[index] = value & COMP_WRITABLE;
    tell(fpb, points);
}
