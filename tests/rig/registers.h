/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of a Cortex-M that stands, by the numbers that DCRSR selects them with. */
#ifndef RIG_REGISTERS_H
#define RIG_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "gdbstub.h"
#include "memory.h"

/* r0 to r12, sp, lr, pc and xPSR in gdb's order. */
#define REGISTERS_PLAIN 17

enum {
    SPECIAL_MSP,
    SPECIAL_PSP,
    SPECIAL_PRIMASK,
    SPECIAL_BASEPRI,
    SPECIAL_FAULTMASK,
    SPECIAL_CONTROL,
    SPECIAL_COUNT
};

/* Values are fetched when they are asked for and kept until registers_forget(). */
struct registers {
    struct gdbstub *stub;
    struct memory *memory;
    bool plain_known;
    bool special_known;
    uint32_t plain[REGISTERS_PLAIN];
    uint32_t special[SPECIAL_COUNT];
};

/* To be called when the core has run. */
void registers_forget(struct registers *registers);

/*
 * ARMv7-M manual, C1.6.3: 0 to 15, 16 xPSR, 17 MSP, 18 PSP, 20 CONTROL to PRIMASK in one word;
 * other numbers read 0 and cannot be written. QEMU 7.2 shows numbers from 17 on to nobody, so the
 * core itself executes MRS and MSR in the last bytes of the block RAM at 0x01000000, which firmware
 * must leave alone; an unprivileged thread is not allowed to. 0 or -1.
 */
int registers_read(struct registers *registers, unsigned selector, uint32_t *value);
int registers_write(struct registers *registers, unsigned selector, uint32_t value);

/*
 * Wakes a core that was halted in WFI, which would not step in QEMU. As under a real debugger, a
 * WFI to be stepped is an instruction without effect: *done says that there was one and that pc is
 * behind it. 0 or -1.
 */
int registers_prepare_step(struct registers *registers, bool *done);

#endif
