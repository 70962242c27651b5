/* SPDX-License-Identifier: 0BSD */
/* A link through a gdb, as its opening and its operations see it. */
#ifndef GDBMI_SRC_MI_LINK_H
#define GDBMI_SRC_MI_LINK_H

#include "link_ops.h"
#include "mi_greeting.h"
#include "mi_port.h"

enum mi_server { MI_SERVER_UNKNOWN, MI_SERVER_QEMU, MI_SERVER_OPENOCD };

struct mi_link {
    struct gdbmi_link base;
    struct mi_port port;
    bool ours; /* we started this gdb; else it is the user's */
    struct mi_greeting greeting;
    enum mi_server server;
    bool known;    /* what gdb has there was found out */
    bool remote;   /* gdb is connected to a server; else it has a process of this machine */
    bool non_stop; /* each thread stops and runs by itself */
    bool async;    /* -exec-continue gives the prompt back at once */
    bool created;  /* gdb has started the process itself, and ends it */
    bool running;
    bool ended;           /* there is no target any more */
    unsigned breakpoints; /* that gdb has */
    char reason[32];      /* of the last stop, "" not known */
    char signal[16];
};

extern const struct gdbmi_link_ops mi_link_ops;
extern const struct mi_handler mi_link_handlers[];

/* What lets the target run, as gdb is set. */
const char *mi_resume_command(const struct mi_link *link);

/* Whether a stop is one that was asked for: servers report it by several signals. */
bool mi_is_stop_ours(const char *reason, const char *signal);

/* The operation of that name, in mi_registers.c. */
enum gdbmi_code mi_registers(struct gdbmi_link *base, const struct link_registers *map, bool all,
                             struct gdbmi_sample *sample);

/* Asks for the threads: sets running and ended. */
enum gdbmi_code mi_ask_threads(struct mi_link *link);

/*
 * Opens a link over a stream to a gdb that gives its first prompt there (name: for the texts of
 * errors). ours: mprof started it, and it leaves its target and ends with the link; else the
 * user's, which goes on. The stream is the link's from the call on, on failure too.
 */
enum gdbmi_code mi_link_on_stream(struct gdbmi_stream *stream, bool ours, const char *name,
                                  const struct gdbmi_options *options, struct gdbmi_link **link,
                                  struct gdbmi_error *error);

#endif
