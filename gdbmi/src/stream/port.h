/* SPDX-License-Identifier: 0BSD */
/* What the clients of line and packet protocols have in common: a stream, and what it came to. */
#ifndef GDBMI_SRC_PORT_H
#define GDBMI_SRC_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/stream.h>

struct port {
    struct gdbmi_stream *stream;
    const char *address; /* for the texts of errors */
    int timeout_ms;
    bool lost;            /* the stream is closed or takes no bytes: nothing can be sent any more */
    bool useless;         /* answers fail to come or mean nothing: it can be sent to all the same */
    size_t in_at, in_len; /* of in: what was not looked at yet */
    char in[4096];
};

/* Sends bytes, within timeout_ms. On failure the port is lost. */
enum gdbmi_code port_put(struct port *port, const void *bytes, size_t len,
                         struct gdbmi_error *error);

/* Replaces in, of which all was looked at, by what comes until a deadline of clock_deadline(); the
 * guardian gets to know it at once. GDBMI_ETIMEOUT, without a text: nothing came. On other failures
 * the port is lost. */
enum gdbmi_code port_fill(struct port *port, uint64_t deadline, struct gdbmi_error *error);

#endif
