/* SPDX-License-Identifier: 0BSD */
/* Who comes to the port of the proxy: one gdb at a time, for which there are limits. */
#include "proxy_clients.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "descriptor.h"
#include "proxy_serving.h"

/* A gdb speaks as soon as it is connected. */
#define FIRST_MS 5000
/* One that is stopped (Ctrl-Z) may leave unread for a while what its program prints. */
#define UNREAD_MS 30000
/* For the first packet of a client that is to go, and again to hear the answer. */
#define GOING_MS 1000

#define NEVER UINT64_MAX

/* gdb shows the text of such an error that answers its first packet. */
#define REFUSAL "E.another gdb is attached to this port"

bool proxy_socket_flush(int fd, struct buffer *out)
{
    ssize_t sent = fd_write(fd, out->data, out->len, 0);

    if (sent > 0)
        buffer_drop(out, (size_t)sent);
    return sent >= 0;
}

/* Of a client's own time: the limit of an operation of ours does not hold for it. */
static uint64_t moment_in(unsigned ms)
{
    return clock_now_ns() + (uint64_t)ms * 1000000U;
}

void proxy_clients_init(struct proxy_clients *clients, proxy_greeter *greet)
{
    *clients = (struct proxy_clients){
        .greet = greet, .gdb_fd = -1, .first_until_ns = NEVER, .unread_until_ns = NEVER};
}

void proxy_clients_drop_gdb(struct proxy_serving *s)
{
    struct proxy_clients *clients = &s->clients;

    if (clients->gdb_fd < 0)
        return;
    close(clients->gdb_fd);
    proxy_framer_free(&clients->first);
    clients->gdb_fd = -1;
    clients->first_until_ns = clients->unread_until_ns = NEVER;
    proxy_gdb_gone(&s->proxy);
}

static void end_going(struct proxy_clients *clients, size_t at)
{
    close(clients->going[at].fd);
    clients->going[at] = clients->going[--clients->going_count];
}

void proxy_clients_close(struct proxy_serving *s)
{
    struct proxy_clients *clients = &s->clients;

    if (clients->gdb_fd >= 0)
        close(clients->gdb_fd);
    proxy_framer_free(&clients->first);
    while (clients->going_count > 0)
        end_going(clients, 0);
}

static void refuse(struct proxy_clients *clients, int fd)
{
    clients->refused = true;
    if (clients->going_count == PROXY_REFUSED_MAX)
        close(fd);
    else
        clients->going[clients->going_count++] =
            (struct proxy_refused){.fd = fd, .until_ns = moment_in(GOING_MS)};
}

void proxy_clients_accept(struct proxy_serving *s, int listener)
{
    int fd = proxy_accept(listener);

    if (fd < 0)
        return;
    if (s->clients.gdb_fd >= 0) {
        refuse(&s->clients, fd);
        return;
    }
    s->clients.gdb_fd = fd;
    s->clients.first_until_ns = moment_in(FIRST_MS);
}

/* Closing at once, with a packet of his unread, might lose the answer on its way: so he is listened
 * to until he goes. */
void proxy_clients_take_going(struct proxy_serving *s, int fd)
{
    struct proxy_clients *clients = &s->clients;
    struct buffer answer = {.data = NULL};
    char bytes[1024];
    size_t at = 0;

    while (at < clients->going_count && clients->going[at].fd != fd)
        at++;
    ssize_t len = fd_read(fd, bytes, sizeof(bytes), 0);
    if (at < clients->going_count && len < 0)
        end_going(clients, at);
    if (at == clients->going_count || len <= 0 || memchr(bytes, '$', (size_t)len) == NULL)
        return;
    if (!clients->going[at].told)
        clients->going[at].until_ns = moment_in(GOING_MS);
    clients->going[at].told = true;
    buffer_add(&answer, "+", 1);
    proxy_packet_add(&answer, REFUSAL);
    (void)proxy_socket_flush(fd, &answer);
    buffer_free(&answer);
    (void)shutdown(fd, SHUT_WR);
}

static void take_in_session(struct proxy_serving *s)
{
    char bytes[16384];
    ssize_t len = fd_read(s->clients.gdb_fd, bytes, sizeof(bytes), 0);

    if (len < 0)
        proxy_clients_drop_gdb(s);
    else if (len > 0)
        proxy_feed_gdb(&s->proxy, bytes, (size_t)len, clock_now_ns());
}

/* The packet, which is whole, and what came behind it. */
static void begin_session(struct proxy_serving *s, const struct proxy_frame *packet,
                          const char *rest, size_t rest_len)
{
    s->clients.first_until_ns = NEVER;
    if (s->clients.greet(s) != GDBMI_OK)
        proxy_clients_drop_gdb(s);
    if (s->clients.gdb_fd < 0)
        return;
    proxy_gdb_begin(&s->proxy);
    proxy_feed_gdb(&s->proxy, packet->raw, packet->raw_len, clock_now_ns());
    proxy_feed_gdb(&s->proxy, rest, rest_len, clock_now_ns());
    proxy_framer_free(&s->clients.first);
}

/* One that has detached may stay connected, and attach again. */
static void take_before_session(struct proxy_serving *s)
{
    struct proxy_frame frame;
    char bytes[1024];
    size_t at = 0;
    size_t used;
    int result;

    ssize_t len = fd_read(s->clients.gdb_fd, bytes, sizeof(bytes), 0);
    if (len < 0)
        proxy_clients_drop_gdb(s);
    if (len <= 0)
        return;
    do {
        result = proxy_framer_feed(&s->clients.first, bytes + at, (size_t)len - at, &used, &frame);
        at += used;
    } while (result == 1 && frame.kind != PROXY_FRAME_PACKET);
    if (result == 1)
        begin_session(s, &frame, bytes + at, (size_t)len - at);
    else if (result < 0)
        proxy_clients_drop_gdb(s);
}

void proxy_clients_take_gdb(struct proxy_serving *s)
{
    if (s->proxy.session)
        take_in_session(s);
    else
        take_before_session(s);
}

void proxy_clients_flush(struct proxy_serving *s)
{
    struct proxy_clients *clients = &s->clients;
    struct buffer *out = &s->proxy.to_gdb;
    size_t before = out->len;

    if (clients->gdb_fd < 0)
        return;
    if (!proxy_socket_flush(clients->gdb_fd, out) || s->proxy.gdb_broken)
        proxy_clients_drop_gdb(s);
    else if (out->len == 0)
        clients->unread_until_ns = NEVER;
    else if (out->len < before || clients->unread_until_ns == NEVER)
        clients->unread_until_ns = moment_in(UNREAD_MS);
}

static uint64_t gdb_deadline(const struct proxy_clients *clients)
{
    return clients->first_until_ns < clients->unread_until_ns ? clients->first_until_ns
                                                              : clients->unread_until_ns;
}

uint64_t proxy_clients_deadline(const struct proxy_serving *s)
{
    uint64_t first = gdb_deadline(&s->clients);

    for (size_t i = 0; i < s->clients.going_count; i++) {
        if (s->clients.going[i].until_ns < first)
            first = s->clients.going[i].until_ns;
    }
    return first;
}

void proxy_clients_tick(struct proxy_serving *s, uint64_t heard_ns)
{
    struct proxy_clients *clients = &s->clients;

    proxy_clients_flush(s);
    if (clients->gdb_fd >= 0 && heard_ns >= gdb_deadline(clients))
        proxy_clients_drop_gdb(s);
    for (size_t i = clients->going_count; i-- > 0;) {
        if (heard_ns >= clients->going[i].until_ns)
            end_going(clients, i);
    }
}
