/* SPDX-License-Identifier: 0BSD */
/* Where the user's gdb connects. */
#ifndef GDBMI_SRC_PROXY_LISTEN_H
#define GDBMI_SRC_PROXY_LISTEN_H

#include <stddef.h>

#include <gdbmi/error.h>

#define PROXY_LISTENERS_MAX 4

struct proxy_listeners {
    int fds[PROXY_LISTENERS_MAX];
    size_t count;
    char text[300]; /* "localhost:3334" */
};

/* Listens on an address as gdbmi_stream_connect() takes it, of all families that the host has;
 * without a host, on loopback only. timeout_ms bounds the lookup of a host's name. On failure
 * nothing is open. */
enum gdbmi_code proxy_listen(const char *address, int timeout_ms, struct proxy_listeners *listeners,
                             struct gdbmi_error *error) __attribute__((warn_unused_result));

void proxy_listeners_close(struct proxy_listeners *listeners);

/* Takes a connection that waits; -1: there is none (any more). */
int proxy_accept(int listener);

#endif
