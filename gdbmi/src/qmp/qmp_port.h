/* SPDX-License-Identifier: 0BSD */
/* QEMU's machine protocol (QMP): JSON commands and their answers, with events in between. */
#ifndef GDBMI_SRC_QMP_PORT_H
#define GDBMI_SRC_QMP_PORT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <gdbmi/error.h>
#include <gdbmi/stream.h>

#include "buffer.h"

/* Where the end of a JSON object stands in a stream of them. */
struct qmp_scan {
    size_t at; /* bytes that were scanned */
    unsigned depth;
    bool in_string;
    bool escaped;
};

struct qmp_port {
    struct gdbmi_stream *stream;
    const char *address; /* for the texts of errors */
    int timeout_ms;
    void (*on_event)(void *context, const char *name); /* NULL: nobody listens */
    void *context;
    bool lost;    /* nothing can be sent any more */
    bool useless; /* answers fail to come or mean nothing: it can be sent to all the same */
    bool greeted;
    json_int_t id;  /* of the last command that was sent; the upper half is this session's */
    char ended[40]; /* why QEMU said that it ends, "" where it did not */
    struct buffer in;
    struct qmp_scan scan;
};

/* One command, and what is returned for it. */
struct qmp_call {
    const char *execute;
    json_t *arguments; /* NULL: none; qmp_port_run() releases it, whatever it returns */
    json_t *result;    /* the caller's, to be released by json_decref(); NULL unless GDBMI_OK */
};

/* Takes over the stream. */
void qmp_port_open(struct qmp_port *port, struct gdbmi_stream *stream, const char *address,
                   int timeout_ms);
void qmp_port_close(struct qmp_port *port);

/* Waits for the greeting and ends the negotiation. server is what greeted, "QEMU 7.2.0". */
enum gdbmi_code qmp_port_greet(struct qmp_port *port, char *server, size_t capacity,
                               struct gdbmi_error *error);

/*
 * Sends count commands, one after the other, and waits at most timeout_ms for the answers to all
 * of them: one round trip. A command that fails is GDBMI_ETARGET with QEMU's words; the remaining
 * ones were executed all the same. Events that come meanwhile go to on_event. On failure no result
 * is kept.
 */
enum gdbmi_code qmp_port_run(struct qmp_port *port, struct qmp_call *calls, size_t count,
                             struct gdbmi_error *error);

/* Sends a command without arguments, and does not wait for its answer. */
enum gdbmi_code qmp_port_send(struct qmp_port *port, const char *execute,
                              struct gdbmi_error *error);

#endif
