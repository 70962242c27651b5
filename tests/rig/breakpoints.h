/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints of the core: the flash patch unit's, and BKPT instructions written into memory. */
#ifndef RIG_BREAKPOINTS_H
#define RIG_BREAKPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gdbstub.h"

/* As a Cortex-M3 has them; the two literal comparators are registers without an effect. */
#define FPB_BASE     0xe0002000U
#define FPB_CODE     6
#define FPB_COMPARES 8

#define BKPT_MAX       64
#define BREAKPOINT_MAX (BKPT_MAX + 2 * FPB_CODE)

struct bkpt {
    uint32_t addr;
    uint16_t opcode;
};

/*
 * QEMU's core cannot be stopped by a BKPT in its memory, so that memory keeps its old instruction
 * and QEMU gets a breakpoint of its own there. What reads memory through the debug port is shown
 * the BKPT.
 */
struct breakpoints {
    bool fpb_enabled;
    uint32_t fpb_compare[FPB_COMPARES];
    struct bkpt bkpt[BKPT_MAX];
    int bkpt_count;
    uint32_t installed[BREAKPOINT_MAX]; /* what QEMU knows */
    int installed_count;
    bool changed; /* since the last breakpoints_install() */
};

/* The registers at FPB_BASE + offset (0..0xffc, a multiple of 4). */
uint32_t breakpoints_fpb_read(const struct breakpoints *points, uint32_t offset);
void breakpoints_fpb_write(struct breakpoints *points, uint32_t offset, uint32_t value);

/* A write to memory of size bytes. True when it was a BKPT and must not reach the memory. */
bool breakpoints_memory_write(struct breakpoints *points, uint32_t addr, unsigned size,
                              uint32_t value);

/* What a debugger sees where memory holds value. */
uint32_t breakpoints_memory_read(const struct breakpoints *points, uint32_t addr, unsigned size,
                                 uint32_t value);

/* Tells QEMU, whose machine must stand, what has changed. 0 or -1. */
int breakpoints_install(struct breakpoints *points, struct gdbstub *stub);

#endif
