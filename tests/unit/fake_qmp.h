/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake of QEMU's QMP port, with faults to be switched on. */
#ifndef FAKE_QMP_H
#define FAKE_QMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_stream.h"

struct fake_qmp {
    struct fake_stream stream;
    const char *greeting;
    const char *arch;
    const char *type; /* of the CPUs */
    unsigned cpus;
    bool big_endian;
    const char *dump; /* the command that must be used for memory */
    unsigned cpu;     /* that commands must name */
    const char *registers;

    bool running;
    unsigned commands; /* since the start */
    unsigned conts;
    unsigned stops;

    unsigned breaks_after; /* so many answers about its state the machine halts by itself */
    const char *odd_dump;  /* is answered to a dump */
    const char *odd_reply; /* to everything; # stands for the id, @ for the next */
    const char *before;    /* stands before every answer */
    const char *silent_at; /* a command that gets no answer */
    const char *close_at;
    const char *refuse; /* a command that fails */
    char *heard;        /* all that the client sent */
    size_t heard_len;
};

/* A running machine with one Cortex-M3. The greeting is there. */
void fake_qmp_init(struct fake_qmp *qmp);
void fake_qmp_free(struct fake_qmp *qmp);

/* An event comes. */
void fake_qmp_event(struct fake_qmp *qmp, const char *name);

#endif
