/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A byte stream in memory with a fake server behind it: it splits, runs dry, and closes on purpose.
 */
#include "fake_stream.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

static void pour(struct fake_stream *stream)
{
    bool mute = stream->mute;

    stream->queue_at = stream->queue_len = 0;
    stream->mute = false;
    while (stream->queue_len < stream->flood_len)
        fake_stream_put(stream, stream->flood, strlen(stream->flood));
    stream->mute = mute;
}

static int fake_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                     struct gdbmi_error *error)
{
    struct fake_stream *stream = (struct fake_stream *)base;

    if (++stream->reads > stream->reads_max && stream->reads_max > 0) {
        gdbmi_error_set(error, GDBMI_EPROTOCOL, "fake: more reads than any time limit allows");
        return -1;
    }
    if (stream->flood != NULL && stream->queue_at == stream->queue_len)
        pour(stream);
    size_t len = stream->queue_len - stream->queue_at;
    if (len > capacity)
        len = capacity;
    if (len > stream->split)
        len = stream->split;
    if (len > stream->close_after - stream->given)
        len = stream->close_after - stream->given;
    if (stream->given == stream->close_after || (len == 0 && stream->closed)) {
        stream->closed = true;
        gdbmi_error_set(error, GDBMI_ECLOSED, "fake: the server closed the connection");
        return -1;
    }
    if (stream->drips && stream->piece_ms > timeout_ms)
        len = 0;
    if (stream->pass != NULL && len == 0)
        stream->pass(timeout_ms);
    else if (stream->pass != NULL)
        stream->pass(stream->piece_ms > timeout_ms ? timeout_ms + 1 : stream->piece_ms);
    memcpy(bytes, stream->queue + stream->queue_at, len);
    if (stream->flip_at >= stream->given && stream->flip_at - stream->given < len)
        ((char *)bytes)[stream->flip_at - stream->given] ^= stream->flip;
    stream->queue_at += len;
    stream->given += len;
    return (int)len;
}

static int fake_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                      struct gdbmi_error *error)
{
    struct fake_stream *stream = (struct fake_stream *)base;

    (void)timeout_ms;
    if (stream->closed) {
        gdbmi_error_set(error, GDBMI_ECLOSED, "fake: the connection was lost");
        return -1;
    }
    poll(NULL, 0, stream->busy_ms);
    stream->busy_ms = 0;
    stream->serve(stream->server, bytes, len);
    return 0;
}

static void fake_close(struct gdbmi_stream *base)
{
    struct fake_stream *stream = (struct fake_stream *)base;

    stream->closed_by_client = true;
}

static const struct gdbmi_stream_ops fake_ops = {
    .read = fake_read,
    .write = fake_write,
    .close = fake_close,
};

void fake_stream_init(struct fake_stream *stream,
                      void (*serve)(void *server, const char *bytes, size_t len), void *server)
{
    *stream = (struct fake_stream){
        .base = {.ops = &fake_ops},
        .serve = serve,
        .server = server,
        .flood_len = 4096,
        .split = FAKE_NEVER,
        .close_after = FAKE_NEVER,
        .flip_at = FAKE_NEVER,
    };
    stream->queue_capacity = 4096;
    stream->queue = malloc(stream->queue_capacity);
    if (stream->queue == NULL)
        abort();
}

void fake_stream_free(struct fake_stream *stream)
{
    free(stream->queue);
}

void fake_stream_put(struct fake_stream *stream, const char *bytes, size_t len)
{
    if (stream->mute)
        return;
    if (stream->queue_len + len > stream->queue_capacity) {
        stream->queue_capacity = 2 * (stream->queue_len + len);
        stream->queue = realloc(stream->queue, stream->queue_capacity);
        if (stream->queue == NULL)
            abort();
    }
    memcpy(stream->queue + stream->queue_len, bytes, len);
    stream->queue_len += len;
}
