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

/* Bytes that go out. */

static void lose_server(struct proxy_serving *s, const struct gdbmi_error *error)
{
    s->server_gone = true;
    if (s->proxy.error.code == GDBMI_OK)
        s->proxy.error = *error;
}

/* A server whose answers are of no use is still told to let the core run. */
static void flush_server(struct proxy_serving *s)
{
    struct buffer *out = &s->proxy.to_server;
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (out->len > 0 && !s->server_gone) {
        (void)s->server->ops->write(s->server, out->data, out->len, s->timeout_ms, &error);
        if (error.code != GDBMI_OK)
            lose_server(s, &error);
    }
    out->len = 0;
}

void proxy_owner_leaves(struct proxy_serving *s)
{
    close(s->owner_fd);
    s->owner_fd = -1;
    s->watch.owner = 0;
}

void proxy_flush(struct proxy_serving *s)
{
    flush_server(s);
    proxy_clients_flush(s);
    if (s->proxy.error.code != GDBMI_OK) {
        proxy_listeners_close(s->listeners);
        proxy_clients_drop_gdb(s);
    }
    if (s->owner_fd >= 0 && !proxy_socket_flush(s->owner_fd, &s->to_owner))
        proxy_owner_leaves(s);
    flush_server(s);
}

/* Bytes that come in. */

static void take_server(struct proxy_serving *s)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    char bytes[16384];
    int len = s->server->ops->read(s->server, bytes, sizeof(bytes), 0, &error);

    if (error.code != GDBMI_OK)
        lose_server(s, &error);
    if (len > 0)
        proxy_feed_server(&s->proxy, bytes, (size_t)len, clock_now_ns());
}

struct pollfd proxy_wait_on(int fd, bool out)
{
    return (struct pollfd){.fd = fd, .events = (short)(POLLIN | (out ? POLLOUT : 0))};
}

bool proxy_came(const struct pollfd *fd)
{
    return (fd->revents & (POLLIN | POLLHUP | POLLERR)) != 0;
}

/* False: a signal came first. */
static bool wait_for_all(const struct proxy_serving *s, struct pollfd *fds, uint64_t deadline)
{
    uint64_t due = proxy_deadline(&s->proxy);
    uint64_t first = due < deadline ? due : deadline;

    if (poll(fds, PROXY_AT_END, first == UINT64_MAX ? -1 : clock_left_ms(first)) >= 0)
        return true;
    for (size_t i = 0; i < PROXY_AT_END; i++)
        fds[i].revents = 0;
    return false;
}

uint64_t proxy_exchange(struct proxy_serving *s, struct pollfd fds[PROXY_AT_END], bool hear_gdb,
                        uint64_t deadline)
{
    bool lost = s->proxy.error.code != GDBMI_OK;

    fds[PROXY_AT_SERVER] = proxy_wait_on(lost ? -1 : gdbmi_stream_descriptor(s->server), false);
    fds[PROXY_AT_GDB] = proxy_wait_on(hear_gdb ? s->clients.gdb_fd : -1, s->proxy.to_gdb.len > 0);
    uint64_t heard_ns = wait_for_all(s, fds, deadline) ? clock_now_ns() : 0;
    if (proxy_came(&fds[PROXY_AT_SERVER]))
        take_server(s);
    if (proxy_came(&fds[PROXY_AT_GDB]))
        proxy_clients_take_gdb(s);
    return heard_ns;
}

void proxy_pump(struct proxy_serving *s, uint64_t deadline)
{
    struct pollfd fds[PROXY_AT_END];

    for (size_t i = 0; i < PROXY_AT_END; i++)
        fds[i] = proxy_wait_on(-1, false);
    proxy_flush(s);
    (void)proxy_exchange(s, fds, s->proxy.session, deadline);
    proxy_tick(&s->proxy, clock_now_ns());
    proxy_flush(s);
}

bool proxy_await_turn(struct proxy_serving *s)
{
    uint64_t deadline = clock_deadline(s->timeout_ms);

    while (!proxy_begin_turn(&s->proxy)) {
        if (clock_left_ms(deadline) == 0 || s->proxy.error.code != GDBMI_OK)
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
    } while (in->len == 0 && s->proxy.error.code == GDBMI_OK && clock_left_ms(deadline) > 0);
    size_t len = in->len < capacity ? in->len : capacity;
    if (len > 0) {
        memcpy(bytes, in->data, len);
        buffer_drop(in, len);
        return (int)len;
    }
    if (s->proxy.error.code == GDBMI_OK)
        return 0;
    gdbmi_error_take(error, &s->proxy.error);
    return -1;
}

static int seat_write(struct gdbmi_stream *seat, const void *bytes, size_t len, int timeout_ms,
                      struct gdbmi_error *error)
{
    struct proxy_serving *s = of_seat(seat);

    (void)timeout_ms;
    proxy_feed_seat(&s->proxy, bytes, len, clock_now_ns());
    proxy_flush(s);
    if (s->proxy.error.code == GDBMI_OK)
        return 0;
    gdbmi_error_take(error, &s->proxy.error);
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
