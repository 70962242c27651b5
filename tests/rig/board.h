/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The boards that the rig can be: a machine of QEMU's, its memory, and the debug port it gets. */
#ifndef RIG_BOARD_H
#define RIG_BOARD_H

#include <stdint.h>

#define BOARD_RAMS   2
#define BOARD_RANGES 8

enum board_kind { BOARD_CORTEX_M, BOARD_RISCV };

/* Addresses from addr on; a size of 0 ends a list. */
struct board_range {
    uint32_t addr;
    uint32_t size;
};

struct board {
    enum board_kind kind;
    const char *core; /* what --core calls it */
    const char *chip; /* the name of OpenOCD's TAP and of its target, up to the dot */
    unsigned elf_machine;
    const char *qemu;                         /* the program */
    const char *const *qemu_args;             /* ended by NULL */
    struct board_range shared;                /* RAM whose pages the rig shares with QEMU */
    struct board_range rams[BOARD_RAMS];      /* more RAM */
    struct board_range answers[BOARD_RANGES]; /* where something answers; elsewhere a real bus
                                               * would fault, where QEMU reads zeros */
};

/* NULL: there is none. */
const struct board *board_by_core(const char *core);
const struct board *board_by_machine(unsigned elf_machine);

/* What --core may be, for error texts. */
extern const char board_cores[];

#endif
