/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of a RISC-V hart that stands, by the numbers that abstract commands give them. */
#ifndef RIG_HART_H
#define RIG_HART_H

#include <stdbool.h>
#include <stdint.h>

#include "gdbstub.h"
#include "memory.h"

#define HART_GPR       0x1000U
#define HART_GPR_COUNT 32U
#define HART_CSR_COUNT 0x1000U

/* Values are fetched when they are asked for and kept until hart_forget(); CSRs are not kept. */
struct hart {
    struct gdbstub *stub;
    struct memory *memory;
    unsigned csr_base; /* of QEMU's register numbers */
    bool known;
    uint32_t values[HART_GPR_COUNT + 1]; /* the last one is pc */
};

/* 0, or -1: QEMU is gone, or not of this kind. */
int hart_open(struct hart *hart, struct gdbstub *stub, struct memory *memory);

/* To be called when the hart has run. */
void hart_forget(struct hart *hart);

/* RISC-V Debug Specification 0.13, table 3.3: CSRs from 0, general registers from HART_GPR on. 0;
 * 1: the hart has no such register; -1. */
int hart_read(struct hart *hart, unsigned number, uint32_t *value);
int hart_write(struct hart *hart, unsigned number, uint32_t value);

int hart_read_pc(struct hart *hart, uint32_t *pc);
int hart_write_pc(struct hart *hart, uint32_t pc);

/*
 * A hart that was halted in WFI would not step in QEMU: it is woken for its step. As under a real
 * debugger, a WFI to be stepped is an instruction without effect. *done: the step was made. 0 or
 * -1.
 */
int hart_prepare_step(struct hart *hart, bool *done);

#endif
