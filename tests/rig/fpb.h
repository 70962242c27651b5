/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flash patch and breakpoint unit of a Cortex-M3. */
#ifndef RIG_FPB_H
#define RIG_FPB_H

#include <stdbool.h>
#include <stdint.h>

#include "breakpoints.h"

/* As a Cortex-M3 has them; the two literal comparators are registers without an effect. */
#define FPB_BASE     0xe0002000U
#define FPB_CODE     6
#define FPB_COMPARES 8

struct fpb {
    bool enabled;
    uint32_t compare[FPB_COMPARES];
};

/* The registers at FPB_BASE + offset (0..0xffc, a multiple of 4). */
uint32_t fpb_read(const struct fpb *fpb, uint32_t offset);
void fpb_write(struct fpb *fpb, uint32_t offset, uint32_t value, struct breakpoints *points);

#endif
