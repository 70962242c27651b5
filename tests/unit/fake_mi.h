/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake gdb that speaks GDB/MI, with a target behind it, and with faults to be switched on. */
#ifndef FAKE_MI_H
#define FAKE_MI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_stream.h"

enum fake_mi_server {
    FAKE_MI_QEMU,    /* a detach resumes */
    FAKE_MI_OPENOCD, /* a detach leaves things as they are; has monitor commands */
    FAKE_MI_OTHER,   /* a detach resumes, and nothing tells who it is */
    FAKE_MI_NATIVE,  /* no server: a process of this machine */
};

struct fake_mi {
    struct fake_stream stream;
    enum fake_mi_server server;
    bool running; /* as gdb sees it */
    bool runs;    /* really */
    bool non_stop;
    bool always_non_stop;
    bool async;
    bool no_target;
    bool left; /* gdb has no target any more, by our doing */

    /* Faults. */
    bool noise;              /* streams, async records, others' answers before every answer */
    bool crlf;               /* lines end with CR LF */
    bool short_read;         /* memory ends too early */
    bool shifted_read;       /* ... or begins elsewhere */
    bool breaks;             /* a breakpoint is hit just before an interrupt */
    bool never_stops;        /* an interrupt has no effect */
    const char *continue_at; /* the user lets it run just before this command is heard */
    const char *silent_at;   /* no answer to a command that begins so */
    const char *close_at;    /* the connection is lost there */
    const char *refuse_at;   /* ^error there */
    const char *damage_at;   /* the answer there is cut */
    const char *exit_at;     /* the program ends just before this command is heard */

    char line[4096]; /* of the client, as far as it has come */
    size_t line_len;
    char log[16384]; /* its commands, each followed by a line feed */
};

/* A gdb whose target ran or not before it came, and that has given its first prompt. Of servers it
 * is told in the log how gdb's connecting went: it has halted the target then. */
void fake_mi_init(struct fake_mi *mi, enum fake_mi_server server, bool ran);
void fake_mi_free(struct fake_mi *mi);

/* gdb says a line. */
void fake_mi_say(struct fake_mi *mi, const char *line);

/* The target comes to a stop, for a reason of its own. */
void fake_mi_stop(struct fake_mi *mi, const char *reason, const char *signal);

/* How often a command that begins so was given. */
unsigned fake_mi_count(const struct fake_mi *mi, const char *command);

#endif
