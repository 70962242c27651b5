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
    bool broken;       /* nothing can be sent any more */
    unsigned sequence; /* of the last command, which its result carries */
    size_t in_len;
    size_t in_capacity;
    char *in; /* what came and was not taken yet */
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

#endif
