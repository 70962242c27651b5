/* SPDX-License-Identifier: 0BSD */
/* Bytes between the sides of the proxy process: what is waited for, and passed on. */
#include "proxy_pump.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

static struct proxy_serving *of_seat(struct gdbmi_stream *seat)
{
    return (struct proxy_serving *)seat;
}

static void lose(struct proxy_serving *s, const struct gdbmi_error *why)
{
    gdbmi_error_take(&s->lost, why);
    proxy_listeners_close(s->listeners);
}

/* Bytes that go out. */

static void flush_server(struct proxy_serving *s)
{
    struct buffer *out = &s->proxy.to_server;
    struct gdbmi_error why = {.code = GDBMI_OK};

    if (out->len > 0 && s->lost.code == GDBMI_OK &&
        s->server->ops->write(s->server, out->data, out->len, s->timeout_ms, &why) != 0)
        lose(s, &why);
    out->len = 0;
}

void proxy_owner_leaves(struct proxy_serving *s)
{
    close(s->owner_fd);
    s->owner_fd = -1;
}

void proxy_flush(struct proxy_serving *s)
{
    if (s->lost.code == GDBMI_OK && s->proxy.error.code != GDBMI_OK)
        lose(s, &s->proxy.error);
    flush_server(s);
    proxy_clients_flush(s);
    if (s->clients.gdb_fd >= 0 && s->lost.code != GDBMI_OK)
        proxy_clients_drop_gdb(s);
    if (s->owner_fd >= 0 && !proxy_socket_flush(s->owner_fd, &s->to_owner))
        proxy_owner_leaves(s);
    flush_server(s);
}

/* Bytes that come in. */

void proxy_take_server(struct proxy_serving *s)
{
    struct gdbmi_error why = {.code = GDBMI_OK};
    char bytes[16384];

    int len = s->server->ops->read(s->server, bytes, sizeof(bytes), 0, &why);
    if (len < 0)
        lose(s, &why);
    else if (len > 0)
        proxy_feed_server(&s->proxy, bytes, (size_t)len, clock_now_ns());
}

const struct pollfd *proxy_wait_on(struct proxy_waiting *w, int fd, bool in, bool out)
{
    struct pollfd *made = &w->fds[w->count];

    if (fd < 0)
        return NULL;
    *made = (struct pollfd){.fd = fd, .events = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0))};
    w->count++;
    return made;
}

bool proxy_came(const struct pollfd *fd)
{
    return fd != NULL && (fd->revents & (POLLIN | POLLHUP | POLLERR)) != 0;
}

uint64_t proxy_wait_until(struct proxy_serving *s, struct proxy_waiting *w, uint64_t deadline)
{
    uint64_t due = proxy_deadline(&s->proxy);
    uint64_t first = due < deadline ? due : deadline;

    if (poll(w->fds, w->count, first == UINT64_MAX ? -1 : clock_left_ms(first)) >= 0)
        return clock_now_ns();
    for (nfds_t i = 0; i < w->count; i++)
        w->fds[i].revents = 0;
    return 0;
}

void proxy_pump(struct proxy_serving *s, uint64_t deadline)
{
    struct proxy_waiting w = {.count = 0};
    bool lost = s->lost.code != GDBMI_OK;

    proxy_flush(s);
    const struct pollfd *server =
        proxy_wait_on(&w, lost ? -1 : gdbmi_stream_descriptor(s->server), true, false);
    const struct pollfd *gdb =
        s->proxy.session ? proxy_wait_on(&w, s->clients.gdb_fd, true, s->proxy.to_gdb.len > 0)
                         : NULL;
    (void)proxy_wait_until(s, &w, deadline);
    if (proxy_came(server))
        proxy_take_server(s);
    if (proxy_came(gdb))
        proxy_clients_take_gdb(s);
    proxy_tick(&s->proxy, clock_now_ns());
    proxy_flush(s);
}

bool proxy_await_turn(struct proxy_serving *s)
{
    uint64_t deadline = clock_deadline(s->timeout_ms);

    while (!proxy_begin_turn(&s->proxy)) {
        if (clock_left_ms(deadline) == 0 || s->lost.code != GDBMI_OK)
            return false;
        proxy_pump(s, deadline);
    }
    return true;
}

/* The seat. */

static int seat_read(struct gdbmi_stream *seat, void *bytes, size_t capacity, int timeout_ms,
                     struct gdbmi_error *error)
{
    struct proxy_serving *s = of_seat(seat);
    struct buffer *in = &s->proxy.to_seat;
    uint64_t deadline = clock_deadline(timeout_ms);

    do {
        if (in->len == 0)
            proxy_pump(s, deadline);
    } while (in->len == 0 && s->lost.code == GDBMI_OK && clock_left_ms(deadline) > 0);
    size_t len = in->len < capacity ? in->len : capacity;
    if (len > 0) {
        memcpy(bytes, in->data, len);
        buffer_drop(in, len);
        return (int)len;
    }
    if (s->lost.code == GDBMI_OK)
        return 0;
    gdbmi_error_take(error, &s->lost);
    return -1;
}

static int seat_write(struct gdbmi_stream *seat, const void *bytes, size_t len, int timeout_ms,
                      struct gdbmi_error *error)
{
    struct proxy_serving *s = of_seat(seat);

    (void)timeout_ms;
    proxy_feed_seat(&s->proxy, bytes, len, clock_now_ns());
    proxy_flush(s);
    if (s->lost.code == GDBMI_OK)
        return 0;
    gdbmi_error_take(error, &s->lost);
    return -1;
}

static int seat_descriptor(const struct gdbmi_stream *seat)
{
    return gdbmi_stream_descriptor(((const struct proxy_serving *)seat)->server);
}

static void seat_close(struct gdbmi_stream *seat)
{
    struct proxy_serving *s = of_seat(seat);

    flush_server(s);
    gdbmi_stream_close(s->server);
    s->server = NULL;
}

const struct gdbmi_stream_ops proxy_seat_ops = {
    .read = seat_read,
    .write = seat_write,
    .descriptor = seat_descriptor,
    .close = seat_close,
};
