/* SPDX-License-Identifier: 0BSD */
/* The addresses of servers, as users write them. */
#ifndef GDBMI_SRC_ADDRESS_H
#define GDBMI_SRC_ADDRESS_H

#include <stdbool.h>

#include <gdbmi/error.h>

struct address {
    bool is_unix;
    bool is_serial;
    long speed;     /* of a serial line in bits a second; 0: the speed that it has */
    char path[108]; /* of a unix socket or a serial line */
    char host[256]; /* without brackets; "localhost" where none was given */
    char port[32];
    char text[300]; /* all of it, for people: "localhost:3333" */
};

/* Takes "HOST:PORT", "[IPV6]:PORT", ":PORT", "PORT", "unix:PATH" or a path that holds a '/': a
 * serial line if it is a character device or under /dev, and then with "@SPEED" or without, else a
 * unix socket. */
enum gdbmi_code address_parse(const char *text, struct address *address, struct gdbmi_error *error)
    __attribute__((warn_unused_result));

/* Whether it is a path, not a host and a port. */
bool address_is_path(const struct address *address);

/* The same host with another port. Not for paths. */
void address_with_port(const struct address *host_of, const char *port, struct address *address);

/* Whether that is this host, as far as the address shows. */
bool address_is_this_host(const struct address *address);

#endif
