/* SPDX-License-Identifier: 0BSD */
/* A byte stream over a pseudo-terminal that a gdb opens by its path. */
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

/*
 * To be called before our end (fd) is closed. A gdb that waits for input at that moment may wake up
 * between the two halves of a hang-up, and see an end of input without an error: then it quits, and
 * lets its target run (gdb 13.1: once in some hundred times on a busy machine). So it is told to
 * run a shell that waits for the end of the hang-up. Does nothing where fd is no pseudo-terminal or
 * nobody has its other end; waits for gdb for some seconds at most.
 */
void pty_take_leave(int fd);

#endif
