/* SPDX-License-Identifier: 0BSD */
/*
 * The part of a protocol client that all protocols share: a stream, its input, and its state.
 *
 * A client sends with port_put(), waits with port_fill(), and parses in[] from in_at on; it
 * advances in_at by what it has parsed. A message may be split over any number of port_fill().
 */
#ifndef GDBMI_SRC_PORT_H
#define GDBMI_SRC_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/stream.h>

/* A client's connection. Its owner opens and closes the stream. After a failure, lost and useless
 * say whether a resume can still be sent. */
struct port {
    struct gdbmi_stream *stream;
    const char *address;  /* the server, for error texts; borrowed */
    int timeout_ms;       /* time for one answer, or to send */
    bool lost;            /* the stream is closed or accepts no bytes: nothing can be sent */
    bool useless;         /* answers are missing or invalid; bytes can still be sent */
    size_t in_at, in_len; /* bytes of in from in_at to in_len are not parsed yet */
    char in[4096];
};

/* Sends len bytes, within timeout_ms. On failure sets *error, and the port is lost. */
enum gdbmi_code port_put(struct port *port, const void *bytes, size_t len,
                         struct gdbmi_error *error);

/* Waits for bytes until a deadline of clock_deadline(), and replaces in by them: all of it must be
 * parsed before. The guardian sees the bytes as they come. Returns GDBMI_ETIMEOUT if nothing came;
 * *error is then unchanged. On another failure sets *error, and the port is lost. */
enum gdbmi_code port_fill(struct port *port, uint64_t deadline, struct gdbmi_error *error);

#endif
