/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QEMU as a child, with the sockets that the rig reaches it by. */
#ifndef RIG_QEMU_H
#define RIG_QEMU_H

#include "board.h"
#include "child.h"
#include "fault.h"
#include "gdbstub.h"
#include "memory.h"
#include "monitor.h"
#include "options.h"
#include "port.h"

struct qemu {
    struct child child;
    struct monitor monitor;
    struct gdbstub gdbstub; /* not with options->qemu_gdb */
    struct memory memory;   /* the same */
    int shared;             /* descriptor of the RAM that is shared */
    struct port held;       /* with options->qemu_gdb: QEMU's own */
    unsigned gdb_port;      /* the same, as QEMU says it */
};

/* An empty one, which may be ended. */
void qemu_init(struct qemu *qemu);

/*
 * Starts the board as a child called name, without firmware. The machine stands, to be started
 * through the gdb stub; with options->qemu_gdb it runs the first firmware of the options. 0 or -1,
 * and qemu is to be ended in both cases.
 */
int qemu_start(struct qemu *qemu, const struct board *board, const char *name,
               const struct options *options, const char *folder, struct fault *fault);
void qemu_end(struct qemu *qemu);

#endif
