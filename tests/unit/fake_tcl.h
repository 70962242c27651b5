/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake of OpenOCD's Tcl port with two targets, and with faults to be switched on. */
#ifndef FAKE_TCL_H
#define FAKE_TCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_stream.h"

#define FAKE_TCL_BAD 0xf0000000U /* from here on nothing can be read */

struct fake_tcl {
    struct fake_stream stream;
    const char *version;
    const char *targets;
    const char *chosen; /* the target that scripts must name */
    bool big_endian;
    bool running;
    unsigned reads;
    unsigned words_max; /* of one read, as asked for */
    unsigned resumes;
    bool break_at_halt; /* a breakpoint is hit just before the script that halts */
    char written[256];

    bool notifications;    /* before every result */
    bool wrong_sequence;   /* results of somebody else's command */
    const char *raw;       /* this and nothing else is the answer to everything */
    const char *silent_at; /* a script with this in it gets no result */
    const char *close_at;
    const char *odd_result; /* to a read */

    char in[8192];
    size_t in_len;
};

/* Targets a.cpu on gdb port 3333 and b.cpu, big-endian, on 3334; they run. */
void fake_tcl_init(struct fake_tcl *tcl);

/* What memory holds. */
unsigned char fake_tcl_byte(uint64_t addr);

#endif
