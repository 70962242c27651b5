/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of mprof-rig. */
#ifndef RIG_OPTIONS_H
#define RIG_OPTIONS_H

#include <stdbool.h>

#include "child.h"
#include "fault.h"
#include "probe.h"

#define TARGETS_MAX 4

struct options {
    const char *elf[TARGETS_MAX]; /* of each target; where fewer were named, the last one again */
    unsigned elf_count;           /* as named */
    unsigned targets;             /* 1 to TARGETS_MAX */
    const char *core;             /* as --core names it, or NULL: what the ELF says */
    const char *control;          /* path of the control socket, NULL: in the temporary folder */
    const char *keep_logs;        /* folder for the logs of the children, or NULL */
    unsigned gdb_port;            /* preferred; 0: any */
    unsigned tcl_port;            /* preferred; 0: any */
    struct probe probe;           /* how slow it is once OpenOCD is ready */
    int icount;                   /* shift, -1: none */
    bool smp;                     /* the targets are one group with one gdb port */
    bool no_system_bus;           /* of RISC-V */
    bool pcsr;                    /* Cortex-M: DWT_PCSR works */
    bool no_tcl;
    bool no_openocd;
    bool qemu_gdb;
    bool until_eof;
    bool help;
    struct child_args qemu;    /* more arguments for it */
    struct child_args openocd; /* the same */
};

/* 0, or -1 with a fault that names the option. options is to be freed in both cases. */
int options_parse(struct options *options, int argc, char **argv, struct fault *fault);
void options_free(struct options *options);

/* The text of --help. */
extern const char options_help[];

#endif
