/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a running core is: its PC in QEMU's own memory. */
#ifndef RIG_PCSAMPLE_H
#define RIG_PCSAMPLE_H

#include <stdint.h>
#include <sys/types.h>

#include "fault.h"
#include "gdbstub.h"

/* Places that are counted apart. */
#define PCSAMPLE_PLACES 128

struct pcsample {
    pid_t pid;
    uint64_t host; /* address of the PC in QEMU's process; 0: not known */
    struct {
        uint32_t pc;
        uint32_t count;
    } places[PCSAMPLE_PLACES]; /* what pcsample_read() gave, and how often */
    unsigned place_count;
    uint32_t elsewhere; /* how often it gave another place, for which there was no room */
};

/* Finds it, by registers that are written and looked for; the machine stands. 0 or -1. */
int pcsample_open(struct pcsample *sample, pid_t pid, struct gdbstub *stub, struct fault *fault);

/* The PC of about now: the beginning of the block of instructions that the core executes. QEMU must
 * have been started with "-d nochain". 0 or -1. */
int pcsample_read(struct pcsample *sample, uint32_t *pc);

#endif
