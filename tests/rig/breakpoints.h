/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints of a core: those of its breakpoint unit, and instructions written into memory. */
#ifndef RIG_BREAKPOINTS_H
#define RIG_BREAKPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gdbstub.h"

#define BREAKPOINTS_UNIT 16
#define BREAKPOINTS_CODE 64
#define BREAKPOINTS_MAX  (BREAKPOINTS_UNIT + BREAKPOINTS_CODE)

/* A breakpoint instruction in memory. */
struct breakpoint_code {
    uint32_t addr;
    unsigned len; /* bytes */
};

/*
 * QEMU's core is not stopped by a breakpoint instruction in its memory: it takes an exception. So
 * QEMU gets a breakpoint of its own wherever there is one, and stops before it is executed.
 */
struct breakpoints {
    uint32_t unit[BREAKPOINTS_UNIT];
    int unit_count;
    struct breakpoint_code code[BREAKPOINTS_CODE];
    int code_count;
    uint32_t installed[BREAKPOINTS_MAX]; /* what QEMU knows */
    int installed_count;
    bool changed; /* since the last breakpoints_install() */
};

/* All that the unit has now, BREAKPOINTS_UNIT at most. */
void breakpoints_set_unit(struct breakpoints *points, const uint32_t *list, int count);
bool breakpoints_in_unit(const struct breakpoints *points, uint32_t addr);

/* An instruction that stands in memory, or no longer where any of size bytes were written. */
void breakpoints_add_code(struct breakpoints *points, struct breakpoint_code code);
bool breakpoints_in_code(const struct breakpoints *points, uint32_t addr);
void breakpoints_forget_code(struct breakpoints *points, uint32_t addr, uint32_t size);

/* Tells QEMU, whose machine must stand, what has changed. 0 or -1. */
int breakpoints_install(struct breakpoints *points, struct gdbstub *stub);

#endif
