/* SPDX-License-Identifier: 0BSD */
/* OpenOCD's Tcl port: one command, one result. */
#ifndef GDBMI_SRC_TCL_PORT_H
#define GDBMI_SRC_TCL_PORT_H

#include <stdbool.h>
#include <stddef.h>

#include <gdbmi/error.h>
#include <gdbmi/stream.h>

struct tcl_port {
    struct gdbmi_stream *stream;
    const char *address; /* for the texts of errors */
    int timeout_ms;
    bool answered;     /* with a result of the expected form, at least once */
    bool lost;         /* nothing can be sent any more */
    bool useless;      /* results fail to come or mean nothing: it can be sent to all the same */
    unsigned sequence; /* of the last command, which its result carries */
    size_t in_at;      /* what was taken already */
    size_t in_len;     /* what came, the former included */
    size_t in_capacity;
    char *in;
};

/* Takes over the stream. */
void tcl_port_open(struct tcl_port *port, struct gdbmi_stream *stream, const char *address,
                   int timeout_ms);
void tcl_port_close(struct tcl_port *port);

/*
 * Runs a script and waits for its result, at most timeout_ms. On success *result is the caller's to
 * free. A script that fails is GDBMI_ETARGET with the server's words; notifications are passed
 * over; a result that is not this script's is a protocol error.
 */
enum gdbmi_code tcl_port_run(struct tcl_port *port, const char *script, char **result,
                             struct gdbmi_error *error);

/* Sends a script and waits for nothing: its result is not to be had. */
enum gdbmi_code tcl_port_send(struct tcl_port *port, const char *script, struct gdbmi_error *error);

#endif
