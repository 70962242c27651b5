/* SPDX-License-Identifier: 0BSD */
/* A byte stream over a pseudo-terminal whose other end a gdb opens by its path. */
#ifndef GDBMI_SRC_STREAM_PTY_H
#define GDBMI_SRC_STREAM_PTY_H

#include <gdbmi/stream.h>

/* The stream; its owner frees it with gdbmi_stream_close(). */
struct pty_stream {
    struct gdbmi_stream base;
    int fd;         /* this process's end */
    int other;      /* the other end, open here until the first byte from gdb; then -1 */
    char path[128]; /* of the other end: "/dev/pts/3" */
    char link[256]; /* symbolic link to path, removed with the stream; "" if there is none */
};

/*
 * Opens a pseudo-terminal in raw mode. If link is not NULL, creates a symbolic link of that path to
 * the other end; a link that was left there by a process that is gone is replaced. On success
 * *stream belongs to the caller. On failure, such as if another file has the path of the link,
 * *stream is unchanged and *error says why.
 */
enum gdbmi_code pty_stream_open(const char *link, struct pty_stream **stream,
                                struct gdbmi_error *error) __attribute__((warn_unused_result));

/*
 * Prepares gdb for the end of the terminal; call it before fd, this process's end, is closed.
 * Without it, a gdb that waits for input may see an end of input without an error, because the
 * kernel hangs up in two steps: then gdb quits, and its target runs (gdb 13.1, once in some hundred
 * times on a busy machine). This function makes gdb run a shell that waits for the end of the
 * hang-up. It waits for gdb for at most 20 s. Does nothing if fd is not a pseudo-terminal or no
 * process has its other end.
 */
void pty_take_leave(int fd);

#endif
