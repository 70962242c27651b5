/* SPDX-License-Identifier: 0BSD */
/* A byte stream over a pseudo-terminal that another program opens by its path. */
#ifndef GDBMI_SRC_STREAM_PTY_H
#define GDBMI_SRC_STREAM_PTY_H

#include <gdbmi/stream.h>

struct pty_stream {
    struct gdbmi_stream base;
    int fd;         /* our end */
    int other;      /* the other end, held until the first byte shows that somebody has it */
    char path[128]; /* of the other end */
    char link[256]; /* symbolic link to it, ours to remove; "" none */
};

/*
 * Opens a raw pseudo-terminal, and makes link (NULL: none) a symbolic link to its other end. A file
 * that is there already is an error, unless it is the link that was left behind by a stream that is
 * gone. On success *stream is the caller's; else it is untouched.
 */
enum gdbmi_code pty_stream_open(const char *link, struct pty_stream **stream,
                                struct gdbmi_error *error) __attribute__((warn_unused_result));

#endif
