/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client of QEMU's gdb stub that never sends it a byte while the machine runs, but to stop it. */
#ifndef RIG_GDBSTUB_H
#define RIG_GDBSTUB_H

#include <stdbool.h>
#include <stdint.h>

#include <gdbmi/rsp.h>

#include "fault.h"

struct gdbstub {
    int fd;
    struct gdbmi_rsp_reader *reader;
    struct fault *fault;
    bool running;
    size_t len; /* bytes received and not read yet */
    size_t used;
    char bytes[4096];
};

/* Takes over a machine that stands. fault stays the place where errors are told. 0 or -1. */
int gdbstub_open(struct gdbstub *stub, int fd, struct fault *fault);
void gdbstub_close(struct gdbstub *stub);

/* Lets the machine run. 0 or -1. */
int gdbstub_continue(struct gdbstub *stub);

/* 1: the machine, which ran, has stopped; 0: it runs, or was standing anyway; -1: QEMU has gone. */
int gdbstub_poll(struct gdbstub *stub);

/* Stops a machine that runs. *by_itself: it had stopped before it was asked to. 0 or -1. */
int gdbstub_interrupt(struct gdbstub *stub, bool *by_itself);

/* One instruction; masked: without taking an interrupt. The machine stands again when it returns.
 */
int gdbstub_step(struct gdbstub *stub, bool masked);

/* The rest is for a machine that stands. 0 or -1. */
/* The first count registers of gdb's list for this kind of core. */
int gdbstub_read_registers(struct gdbstub *stub, uint32_t *values, unsigned count);
/* One by its number in QEMU's description of the core. 1: there is none. */
int gdbstub_read_register(struct gdbstub *stub, unsigned number, uint32_t *value);
int gdbstub_write_register(struct gdbstub *stub, unsigned number, uint32_t value);
/* The number of a register, by its name in a part of that description, such as "riscv-csr.xml". */
int gdbstub_number(struct gdbstub *stub, const char *part, const char *name, unsigned *number);
int gdbstub_breakpoint(struct gdbstub *stub, uint32_t addr, bool insert);

#endif
