/* SPDX-License-Identifier: 0BSD */
/* Byte streams to a server: tcp and unix sockets, serial lines; tests bring fakes of their own. */
#ifndef GDBMI_STREAM_H
#define GDBMI_STREAM_H

#include <stddef.h>

#include <gdbmi/error.h>

struct gdbmi_stream;
struct guardian;

/* How a kind of stream moves bytes. All times are milliseconds; no call blocks longer. */
struct gdbmi_stream_ops {
    /* Waits until at least one byte is there. Returns the number of bytes stored (1..capacity),
     * 0 when the time is over, -1 when the stream is closed or failed (*error is set). */
    int (*read)(struct gdbmi_stream *stream, void *bytes, size_t capacity, int timeout_ms,
                struct gdbmi_error *error);
    /* Writes all bytes. Returns 0, or -1 when that was not possible in time (*error is set). */
    int (*write)(struct gdbmi_stream *stream, const void *bytes, size_t len, int timeout_ms,
                 struct gdbmi_error *error);
    /* May be NULL: a descriptor that poll() finds readable when read() has bytes; it stays the
     * stream's. -1: none. */
    int (*descriptor)(const struct gdbmi_stream *stream);
    /* Closes and frees the stream. */
    void (*close)(struct gdbmi_stream *stream);
};

/* The base of every stream: embed it as the first member, zeroed. */
struct gdbmi_stream {
    const struct gdbmi_stream_ops *ops;
    struct guardian *guardian; /* the library's own: it is sent away when the stream was closed */
    unsigned late;             /* the library's own: reads since a deadline has passed */
};

/*
 * Connects to "HOST:PORT", "[IPV6]:PORT", ":PORT" (localhost) or "PORT", with TCP_NODELAY; to a
 * unix socket by "unix:PATH" or by a path that holds a '/'; to a serial line by the path of its
 * device, with "@SPEED" (bits a second) behind it or at the speed that the line has. A serial line
 * is opened raw and for us alone, and gets its settings back. The lookup of a host's name is
 * bounded too. On success *stream is the caller's, to be closed by gdbmi_stream_close(); otherwise
 * *stream is untouched and *error says why.
 */
enum gdbmi_code gdbmi_stream_connect(const char *address, int timeout_ms,
                                     struct gdbmi_stream **stream, struct gdbmi_error *error)
    __attribute__((warn_unused_result));

/* The stream's descriptor, for poll() only; -1: it has none. */
int gdbmi_stream_descriptor(const struct gdbmi_stream *stream);

void gdbmi_stream_close(struct gdbmi_stream *stream);

#endif
