/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a running core is: its PC in QEMU's own memory. */
#ifndef RIG_PCSAMPLE_H
#define RIG_PCSAMPLE_H

#include <stdint.h>
#include <sys/types.h>

#include "fault.h"
#include "gdbstub.h"

struct pcsample {
    pid_t pid;
    uint64_t host; /* address of the PC in QEMU's process; 0: not known */
};

/* Finds it, by registers that are written and looked for; the machine stands. 0 or -1. */
int pcsample_open(struct pcsample *sample, pid_t pid, struct gdbstub *stub, struct fault *fault);

/* The PC of about now: the beginning of the block of instructions that the core executes. QEMU must
 * have been started with "-d nochain". 0 or -1. */
int pcsample_read(const struct pcsample *sample, uint32_t *pc);

#endif
