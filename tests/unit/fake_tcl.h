/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake of OpenOCD's Tcl port with two targets, and with faults to be switched on. */
#ifndef FAKE_TCL_H
#define FAKE_TCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_stream.h"

/* What happens to one byte on its way. */
enum fake_damage { FAKE_WHOLE, FAKE_FLIP, FAKE_DROP, FAKE_DOUBLE };

struct fake_tcl {
    struct fake_stream stream;
    const char *version;
    const char *targets;
    const char *sbcs;   /* of a RISC-V target's debug module */
    const char *chosen; /* the target that scripts must name */
    bool big_endian;
    bool running;
    bool utf8;
    unsigned reads;
    unsigned words_max; /* of one read, as asked for */
    unsigned words;     /* of the last one, set when before_read() is called */
    unsigned writes;    /* times that the client wrote to the port */
    unsigned resumes;
    unsigned samples;
    bool break_at_halt;    /* a breakpoint is hit just before the script that halts */
    bool sample_fails;     /* the script of a sample does, after the halt */
    bool sample_halts;     /* ... and cannot resume the core */
    unsigned shorts;       /* samples by short halts, of 100 us each */
    const char *not_short; /* what they say instead of a sample */
    uint64_t sp;           /* in a sample */
    char written[256];

    bool has_socket;    /* it can connect to the client */
    bool wrong_nonce;   /* and says another nonce there */
    int channel;        /* -1: there is none */
    bool notifying;     /* tcl_notifications is on */
    bool said_goodbye;  /* the client removed what it had brought */
    size_t results_len; /* of what a gdb would have seen */

    const char *notification; /* before every result */
    bool wrong_sequence;      /* results of somebody else's command */
    const char *raw;          /* this and nothing else is the answer to everything */
    const char *silent_at;    /* a script with this in it gets no result */
    const char *close_at;
    const char *odd_result;    /* to a read */
    void (*before_read)(void); /* NULL: nothing is done */

    enum fake_damage request; /* to the byte at .at of what comes, counted from now */
    enum fake_damage answer;  /* to that of what goes */
    size_t at;
    unsigned char bits; /* that are flipped */
    bool was_damaged;

    char name[32]; /* of the client's procedure */
    char body[2048];
    char in[8192];
    size_t in_len;
};

/* Targets a.cpu on gdb port 3333 and b.cpu, big-endian, on 3334; they run. */
void fake_tcl_init(struct fake_tcl *tcl);
void fake_tcl_free(struct fake_tcl *tcl);

#endif
