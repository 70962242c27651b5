/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A byte stream in memory with a fake server behind it: it splits, runs dry, and closes on purpose.
 */
#ifndef FAKE_STREAM_H
#define FAKE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include <gdbmi/stream.h>

#include "fake_memory.h"

#define FAKE_NEVER ((size_t)-1)

struct fake_stream {
    struct gdbmi_stream base;
    /* Takes what the client wrote; answers by fake_stream_put(). */
    void (*serve)(void *server, const char *bytes, size_t len);
    void *server;
    size_t split;       /* bytes of one read at most */
    size_t close_after; /* bytes that the client gets before the stream closes */
    size_t flip_at;     /* how many bytes it gets before the one that is damaged */
    char flip;          /* its bits that are */
    size_t given;
    bool closed;       /* by the server */
    bool mute;         /* what the server says from now on is lost */
    const char *flood; /* comes again and again when all else was read */
    size_t flood_len;  /* so much of it at a time */
    int busy_ms;       /* before the server hears the first bytes */
    /* May be NULL: lets the time pass that a read takes. One without bytes takes all that it has;
     * one with bytes takes piece_ms, or 1 ms more than it has; or they come by then, if they drip.
     */
    void (*pass)(int ms);
    int piece_ms;
    bool drips;
    unsigned reads;
    unsigned reads_max; /* 0: any number; then the stream fails, so that no test goes on for ever */
    bool closed_by_client;
    char *queue; /* to the client; freed by fake_stream_free() */
    size_t queue_at, queue_len, queue_capacity;
};

/* No call waits: a read without bytes says at once that its time is over. */
void fake_stream_init(struct fake_stream *stream,
                      void (*serve)(void *server, const char *bytes, size_t len), void *server);
void fake_stream_free(struct fake_stream *stream);
void fake_stream_put(struct fake_stream *stream, const char *bytes, size_t len);

#endif
