/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fake gdb server answers in non-stop mode, in the manner of gdbserver or pyOCD. */
#ifndef FAKE_NONSTOP_H
#define FAKE_NONSTOP_H

#include <stdbool.h>

#define FAKE_THREADS_MAX 8

struct fake_gdb;

struct fake_nonstop {
    bool works;       /* QNonStop:1 is taken */
    bool on;          /* it was asked for */
    bool pyocd;       /* one core, no list of threads, stops told twice */
    bool passes;      /* signals are left to the program */
    bool created;     /* the server started the program */
    bool detached;    /* by D */
    bool told_late;   /* the second stop is told only after the first was answered */
    bool stays;       /* a resume found a stop that the client had not been told, or had not
                       * answered: as gdbserver, that thread stays stopped */
    unsigned threads; /* 1, 2, ... */
    int first_signal; /* of the first thread's stop when we come; 0: that of the others */
    unsigned dead;    /* the thread that has ended; 0: none */
    unsigned leaving; /* so many threads end when a halt has been asked for, and do not stop */
    unsigned coming;  /* so many threads begin while a halt is carried out, and run on */
    bool stubborn;    /* the last thread never stops */
    unsigned chosen;  /* by Hg; 0: none */
    unsigned stops[FAKE_THREADS_MAX]; /* that wait to be told: 1 + signal */
    unsigned due, told; /* how many of these there are, and how many the client has answered */
};

/* Answers a request of non-stop; false: it is none. */
bool fake_nonstop_serve(struct fake_gdb *gdb, const char *request);

/* A thread stops, or the program ends (letter 'W'): it is notified. */
void fake_nonstop_stop(struct fake_gdb *gdb, char letter, unsigned signal);

#endif
