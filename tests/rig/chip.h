/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One target: a board in QEMU, its core, and the debug port in front of them. */
#ifndef RIG_CHIP_H
#define RIG_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "bus.h"
#include "core.h"
#include "cortexm.h"
#include "dap.h"
#include "dm.h"
#include "dtm.h"
#include "elf.h"
#include "fault.h"
#include "jtag.h"
#include "options.h"
#include "qemu.h"

struct chip {
    const struct board *board;
    struct fault *fault;
    char name[32]; /* of OpenOCD's target */
    struct qemu qemu;
    bool plain; /* QEMU with its own gdb port: there is neither core nor debug port */
    struct core core;
    /* By the kind of board: */
    struct {
        struct cortexm cortexm;
        struct dap dap;
    } arm;
    struct {
        struct dm dm;
        struct dtm dtm;
    } riscv;
};

/* What stat tells of a target. */
struct chip_stats {
    struct core_stats core;
    struct bus_stats bus;
    uint64_t machine_stops;
    bool running;
};

/* An empty one, which may be closed. */
void chip_init(struct chip *chip, struct fault *fault);

/* Starts target index as the options say, with its firmware, which runs when it returns. 0, or -1
 * with a fault; to be closed in both cases. It points into itself: do not move it. */
int chip_open(struct chip *chip, unsigned index, const struct options *options, const char *folder);
void chip_close(struct chip *chip);

/* The end of its JTAG chain; it points to chip. Not of a plain one. */
struct jtag_device chip_device(struct chip *chip);

/* The debug port has no cable any more; the core runs on. */
void chip_unplugged(struct chip *chip);

/* Takes over what happened by itself. 0, or -1 when QEMU is gone. */
int chip_update(struct chip *chip);

/* The same, and of a plain QEMU nothing that has happened is still on its way. */
int chip_sync(struct chip *chip);

/* Someone presses the reset button. RAM keeps its bytes. 0, or -1 when QEMU is gone. */
int chip_reset(struct chip *chip);

/*
 * Another firmware is flashed and started, by some other tool than the OpenOCD that is connected.
 * 0; 1: why says why it can't be, and nothing was changed; -1: QEMU is gone.
 */
int chip_load(struct chip *chip, const char *path, struct fault *why);

struct chip_stats chip_stats_now(const struct chip *chip);

#endif
