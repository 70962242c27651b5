/* SPDX-License-Identifier: 0BSD */
/* Byte streams to a server: TCP and Unix sockets, serial lines, or one that the caller defines. */
#ifndef GDBMI_STREAM_H
#define GDBMI_STREAM_H

#include <stddef.h>

#include <gdbmi/error.h>

struct gdbmi_stream;
struct guardian;

/* The functions of a kind of stream. None blocks longer than timeout_ms, milliseconds from 0 on. A
 * function that fails writes *error with gdbmi_error_set(). */
struct gdbmi_stream_ops {
    /* Waits for at least one byte. Returns the number of bytes stored, 1 to capacity; 0 if the time
     * is over; -1 if the stream is closed or has failed. Bytes that are there are read at once,
     * also with timeout_ms 0. */
    int (*read)(struct gdbmi_stream *stream, void *bytes, size_t capacity, int timeout_ms,
                struct gdbmi_error *error);
    /* Writes all len bytes. Returns 0, or -1 if the stream has failed or the time is over: then
     * some of the bytes may have been written. */
    int (*write)(struct gdbmi_stream *stream, const void *bytes, size_t len, int timeout_ms,
                 struct gdbmi_error *error);
    /* Returns a descriptor that poll() reports as readable when read() has bytes, or -1. It stays
     * the stream's. May be NULL: no descriptor. */
    int (*descriptor)(const struct gdbmi_stream *stream);
    /* Closes and frees the stream. */
    void (*close)(struct gdbmi_stream *stream);
};

/* The base of every stream: the first member of its struct, zeroed except for ops. */
struct gdbmi_stream {
    const struct gdbmi_stream_ops *ops;
    struct guardian *guardian; /* private: resumes the target if this process dies; or NULL */
    unsigned late;             /* private: reads since a deadline has passed */
    int linger_ms;             /* private: how long close() waits for the server; 0: 200 ms */
};

/*
 * Connects to a server. address is one of
 *
 *   "HOST:PORT", "[IPV6]:PORT", ":PORT" or "PORT" (both on localhost): TCP
 *   "unix:PATH", or a path with a '/': a Unix socket
 *   "DEVICE", "DEVICE@SPEED": a serial line by its path, SPEED in bits a second, else unchanged
 *
 * A serial line is opened raw and exclusively; closing restores its settings. timeout_ms is for all
 * of it, with the lookup of a host name. *error must hold no error before the call. On success
 * *stream belongs to the caller, who frees it with gdbmi_stream_close(). On failure *stream is
 * unchanged and *error says why.
 */
enum gdbmi_code gdbmi_stream_connect(const char *address, int timeout_ms,
                                     struct gdbmi_stream **stream, struct gdbmi_error *error)
    __attribute__((warn_unused_result));

/* Returns the stream's descriptor, for poll() only; it stays the stream's. -1 if it has none. */
int gdbmi_stream_descriptor(const struct gdbmi_stream *stream);

/* Closes and frees a stream. A socket first sends what was written, and waits until the server has
 * closed the connection, for at most 0.2 s, or linger_ms if that is set. NULL is allowed and does
 * nothing. */
void gdbmi_stream_close(struct gdbmi_stream *stream);

#endif
