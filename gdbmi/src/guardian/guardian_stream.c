/* SPDX-License-Identifier: 0BSD */
/* What undo functions of a guardian work with: a stream over the descriptors that were lent. */
#include <errno.h>
#include <sys/socket.h>

#include "clock.h"
#include "descriptor.h"
#include "guardian.h"

/* A server that is busy takes a connection late. */
#define SEND_MS 100000
/* How long a server may take to notice that we leave. */
#define LINGER_MS 200

static int lost(struct gdbmi_error *error)
{
    gdbmi_error_set(error, GDBMI_ECLOSED, "the connection was lost");
    return -1;
}

static int stream_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                       struct gdbmi_error *error)
{
    const struct guardian_stream *stream = (const struct guardian_stream *)base;
    ssize_t len = fd_read(stream->in, bytes, capacity, clock_deadline(timeout_ms));

    return len < 0 ? lost(error) : (int)len;
}

/* Waits for a connect() that is under way, too. */
static int stream_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                        struct gdbmi_error *error)
{
    const struct guardian_stream *stream = (const struct guardian_stream *)base;
    ssize_t sent = fd_write(stream->out, bytes, len, clock_deadline(timeout_ms));

    return sent >= 0 && (size_t)sent == len ? 0 : lost(error);
}

/* As socket_close() in stream_socket.c: unread bytes would reset the connection, and the reset may
 * overtake the resume. */
static void stream_close(struct gdbmi_stream *base)
{
    const struct guardian_stream *stream = (const struct guardian_stream *)base;
    uint64_t deadline = clock_deadline(LINGER_MS);
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    char rest[1024];

    if (shutdown(stream->out, SHUT_WR) != 0 && errno != ENOTSOCK)
        return;
    while (clock_left_ms(deadline) > 0 &&
           stream_read(base, rest, sizeof(rest), clock_left_ms(deadline), &ignored) > 0)
        continue;
}

void guardian_stream_init(struct guardian_stream *stream, const int *fds, size_t count)
{
    static const struct gdbmi_stream_ops ops = {
        .read = stream_read,
        .write = stream_write,
        .close = stream_close,
    };

    *stream = (struct guardian_stream){
        .base = {.ops = &ops},
        .in = fds[0],
        .out = fds[count > 1 ? 1 : 0],
    };
}

void guardian_send_resume(const struct guardian_page *page, const int *fds, size_t count,
                          void *context)
{
    const struct guardian_text *text = &page->resumes[atomic_load(&page->resume)];
    size_t write_len = (size_t)atomic_load(&page->write_len);
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    struct guardian_stream stream;

    (void)context;
    guardian_stream_init(&stream, fds, count);
    if (write_len > 0)
        stream_write(&stream.base, page->write, write_len, SEND_MS, &ignored);
    if (atomic_load(&page->state) != GUARDIAN_FREE)
        stream_write(&stream.base, text->bytes, text->len, SEND_MS, &ignored);
    stream_close(&stream.base);
}
