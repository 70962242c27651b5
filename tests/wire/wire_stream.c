/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A faulty wire around a byte stream in this process. */
#include "wire_stream.h"

#include <stdlib.h>
#include <string.h>

static void put_down(struct wire_stream *stream, const char *bytes, size_t len)
{
    if (stream->queue_len + len > stream->queue_capacity) {
        stream->queue_capacity = 2 * (stream->queue_len + len);
        stream->queue = realloc(stream->queue, stream->queue_capacity);
        if (stream->queue == NULL)
            abort();
    }
    memcpy(stream->queue + stream->queue_len, bytes, len);
    stream->queue_len += len;
}

static void pass_on(void *context, enum wire_direction direction, const char *bytes, size_t len)
{
    struct wire_stream *stream = context;
    struct gdbmi_error ignored = {.code = GDBMI_OK};

    if (direction == WIRE_DOWN)
        put_down(stream, bytes, len);
    else
        stream->inner->ops->write(stream->inner, bytes, len, 1000, &ignored);
}

static bool is_open(struct wire_stream *stream, struct gdbmi_error *error)
{
    if (!stream->wire.closed)
        return true;
    gdbmi_error_set(error, GDBMI_ECLOSED, "wire: the connection was lost");
    return false;
}

static int wire_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                     struct gdbmi_error *error)
{
    struct wire_stream *stream = (struct wire_stream *)base;
    char raw[4096];

    wire_quiet(&stream->wire);
    if (stream->queue_at == stream->queue_len) {
        stream->queue_at = stream->queue_len = 0;
        int len = stream->inner->ops->read(stream->inner, raw, sizeof(raw), timeout_ms, error);
        if (len < 0)
            return len;
        wire_feed(&stream->wire, WIRE_DOWN, raw, (size_t)len);
        wire_quiet(&stream->wire);
    }
    size_t len = stream->queue_len - stream->queue_at;
    if (len == 0 && !is_open(stream, error))
        return -1;
    if (len > capacity)
        len = capacity;
    if (len > 1 && stream->wire.plan.fault == WIRE_SPLIT)
        len = 1;
    if (len > 0)
        memcpy(bytes, stream->queue + stream->queue_at, len);
    stream->queue_at += len;
    return (int)len;
}

static int wire_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                      struct gdbmi_error *error)
{
    struct wire_stream *stream = (struct wire_stream *)base;

    (void)timeout_ms;
    if (!is_open(stream, error))
        return -1;
    wire_feed(&stream->wire, WIRE_UP, bytes, len);
    return 0;
}

static void wire_close(struct gdbmi_stream *base)
{
    struct wire_stream *stream = (struct wire_stream *)base;

    free(stream->queue);
    stream->queue = NULL;
    gdbmi_stream_close(stream->inner);
}

static const struct gdbmi_stream_ops wire_ops = {
    .read = wire_read,
    .write = wire_write,
    .close = wire_close,
};

void wire_stream_init(struct wire_stream *stream, struct gdbmi_stream *inner,
                      const struct wire_plan *plan)
{
    memset(stream, 0, sizeof(*stream));
    stream->base.ops = &wire_ops;
    stream->inner = inner;
    wire_init(&stream->wire, plan, pass_on, stream);
}
