/* SPDX-License-Identifier: 0BSD */
/* What all byte streams have in common: reading until a deadline, and closing. */
#include "stream.h"

#include "clock.h"
#include "guardian.h"

/* Reads after the deadline: what has arrived by then is taken, but a flood ends. */
#define LATE_MAX 256

int stream_read(struct gdbmi_stream *stream, void *bytes, size_t capacity, uint64_t deadline,
                struct gdbmi_error *error)
{
    int left_ms = clock_left_ms(deadline);

    stream->late = left_ms > 0 ? 0 : stream->late + 1;
    int len = 0;
    if (stream->late <= LATE_MAX)
        len = stream->ops->read(stream, bytes, capacity, left_ms, error);
    if (len == 0)
        stream->late = 0;
    return len;
}

int stream_read_more(struct gdbmi_stream *stream, struct buffer *buffer, uint64_t deadline,
                     struct gdbmi_error *error)
{
    int len = stream_read(stream, buffer->data + buffer->len, buffer->capacity - buffer->len - 1,
                          deadline, error);

    buffer->len += len > 0 ? (size_t)len : 0;
    return len;
}

int gdbmi_stream_descriptor(const struct gdbmi_stream *stream)
{
    return stream->ops->descriptor != NULL ? stream->ops->descriptor(stream) : -1;
}

void gdbmi_stream_close(struct gdbmi_stream *stream)
{
    if (stream == NULL)
        return;
    struct guardian *guardian = stream->guardian;
    uint64_t before = clock_limit_lift();
    stream->ops->close(stream);
    clock_limit_end(before);
    guardian_dismiss(guardian);
}
