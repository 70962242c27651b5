/* SPDX-License-Identifier: 0BSD */
/* Addresses of servers, parsed from what users write. */
#ifndef GDBMI_SRC_ADDRESS_H
#define GDBMI_SRC_ADDRESS_H

#include <stdbool.h>

#include <gdbmi/error.h>

/* An address: a Unix socket, a serial line, or else a host and a port. */
struct address {
    bool is_unix;
    bool is_serial;
    long speed;     /* of a serial line, bits a second; 0: do not change it */
    char path[108]; /* of a Unix socket or a serial line */
    char host[256]; /* without brackets; "localhost" if none was given */
    char port[32];  /* decimal, "1" to "65535" */
    char text[300]; /* all of it, for messages: "localhost:3333" */
};

/* Parses an address as gdbmi_stream_connect() takes it. A path is a serial line if it is a
 * character device or under /dev; else a Unix socket. On failure returns GDBMI_EARG and sets
 * *error. */
enum gdbmi_code address_parse(const char *text, struct address *address, struct gdbmi_error *error)
    __attribute__((warn_unused_result));

/* Whether the address is a path: a Unix socket or a serial line. */
bool address_is_path(const struct address *address);

/* Writes the host of *host_of with another port to *address. *host_of must not be a path. */
void address_with_port(const struct address *host_of, const char *port, struct address *address);

/* Whether the address is on this host, as far as it can be seen without a lookup. */
bool address_is_this_host(const struct address *address);

#endif
