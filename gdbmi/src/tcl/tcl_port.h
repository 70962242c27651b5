/* SPDX-License-Identifier: 0BSD */
/* OpenOCD's Tcl port: commands whose answers prove themselves, and what it tells unasked. */
#ifndef GDBMI_SRC_TCL_PORT_H
#define GDBMI_SRC_TCL_PORT_H

#include <stdbool.h>
#include <stddef.h>

#include <gdbmi/error.h>
#include <gdbmi/stream.h>

#include "tcl_inbox.h"
#include "tcl_proof.h"

/* Requests that may be under way at once. */
#define TCL_PIPE_MAX 16

struct tcl_port {
    struct tcl_inbox tcl;
    struct tcl_inbox quiet; /* where results come; without a stream they come on the former */
    const char *address;    /* for the texts of errors */
    int timeout_ms;
    bool lost;       /* nothing can be sent any more */
    bool useless;    /* results fail to come or mean nothing: it can be sent to all the same */
    bool gdb_port;   /* it is a gdb server's, which halts its target for each client */
    bool proven;     /* OpenOCD is there: it answered with a proof */
    bool utf8;       /* its characters are code points */
    unsigned resets; /* that it told us of */
    unsigned sent;   /* number of the last request */
    unsigned taken;  /* of the last answer */
    char name[TCL_NAME_MAX];
    char sums[TCL_PIPE_MAX][TCL_SUM_TEXT]; /* of the requests under way */
    bool numbers[TCL_PIPE_MAX];
    struct buffer out; /* requests that were not sent yet */
};

/* Takes over the stream. Nothing is sent. */
void tcl_port_open(struct tcl_port *port, struct gdbmi_stream *stream, const char *address,
                   int timeout_ms);

/* Makes the quiet channel where the server is near, and sees that the proof works. */
enum gdbmi_code tcl_port_greet(struct tcl_port *port, struct gdbmi_error *error);

/* Leaves nothing of ours in the server, as far as it still hears us, and closes. */
void tcl_port_close(struct tcl_port *port);

/*
 * Runs a script and waits for its result, at most timeout_ms. On success *result is the caller's to
 * free. A script that fails is GDBMI_ETARGET with the server's words; a result that is not this
 * script's, or not whole, is a protocol error.
 */
enum gdbmi_code tcl_port_run(struct tcl_port *port, const char *script, char **result,
                             struct gdbmi_error *error);

/*
 * Several requests in one write: queue up to TCL_PIPE_MAX, send them, take as many answers in the
 * same order. With a query (NULL: none) the script's result is a list of numbers. A queue that
 * failed is to be forgotten with the link.
 */
enum gdbmi_code tcl_port_queue(struct tcl_port *port, const char *script, const char *query,
                               struct gdbmi_error *error);
enum gdbmi_code tcl_port_send(struct tcl_port *port, struct gdbmi_error *error);

/* What *answer points to is valid until the next call. */
enum gdbmi_code tcl_port_take(struct tcl_port *port, struct tcl_answer *answer,
                              struct gdbmi_error *error);

/* Sends a script without a proof and waits for nothing. */
enum gdbmi_code tcl_port_tell(struct tcl_port *port, const char *script, struct gdbmi_error *error);

/* Waits for the bare result of a script that was told. */
enum gdbmi_code tcl_port_result(struct tcl_port *port, char **message, struct gdbmi_error *error);

/* Returns whether the port is a gdb server's. If it is QEMU's, which says that its machine ran, the
 * machine is resumed; else whoever uses it as a gdb port must see to that. */
bool tcl_port_leave_gdb_port(struct tcl_port *port);

#endif
