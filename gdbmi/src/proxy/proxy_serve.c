/* SPDX-License-Identifier: 0BSD */
/* The proxy process' loop: who is connected, and what is waited for. */
#include "proxy_serve.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "descriptor.h"
#include "proxy_answer.h"
#include "proxy_pump.h"
#include "rsp_open.h"

/* How long the owner may leave a last word unread. */
#define FAREWELL_MS 1000

/* Opening. */

static enum gdbmi_code connect_server(struct proxy_serving *s, const struct gdbmi_options *options,
                                      struct gdbmi_error *error)
{
    int timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : GDBMI_TIMEOUT_MS;
    enum gdbmi_code code = gdbmi_stream_connect(options->gdb, timeout_ms, &s->server, error);
    if (code != GDBMI_OK)
        return code;
    if (gdbmi_stream_descriptor(s->server) >= 0)
        return GDBMI_OK;
    gdbmi_stream_close(s->server);
    return gdbmi_error_set(error, GDBMI_EUNSUPPORTED,
                           "%s: this kind of connection cannot be shared with a gdb", options->gdb);
}

enum gdbmi_code proxy_serve_open(struct proxy_serving *s, const struct gdbmi_options *options,
                                 struct gdbmi_error *error)
{
    struct gdbmi_link *link = NULL;

    s->seat.ops = &proxy_seat_ops;
    s->timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : GDBMI_TIMEOUT_MS;
    proxy_clients_init(&s->clients, proxy_greet);
    proxy_init(&s->proxy, s->address.text, s->timeout_ms);
    proxy_begin_turn(&s->proxy);
    enum gdbmi_code code = rsp_link_open(&s->seat, s->address.text, options, &link, error);
    if (code != GDBMI_OK)
        return code;
    s->link = (struct rsp_link *)link;
    proxy_know(&s->proxy, s->link->server, link->info.live, s->link->resume);
    proxy_end_turn(&s->proxy);
    s->probed = link->info.live || s->link->running || s->link->server != RSP_SERVER_UNKNOWN ||
                s->proxy.non_stop_offered;
    return GDBMI_OK;
}

static enum gdbmi_code open_server(struct proxy_serving *s, const struct gdbmi_options *options,
                                   struct gdbmi_error *error)
{
    enum gdbmi_code code = address_parse(options->gdb, &s->address, error);

    if (code == GDBMI_OK)
        code = connect_server(s, options, error);
    return code == GDBMI_OK ? proxy_serve_open(s, options, error) : code;
}

static enum gdbmi_code open_all(struct proxy_serving *s, const struct gdbmi_options *options)
{
    struct proxy_opened opened = {.error = {.code = GDBMI_OK}};

    enum gdbmi_code code = open_server(s, options, &opened.error);
    if (code == GDBMI_OK)
        opened.link = s->link->base;
    (void)fd_write(s->owner_fd, &opened, sizeof(opened), clock_deadline(FAREWELL_MS));
    return code;
}

/* The loop. */

static void serve_owner(struct proxy_serving *s)
{
    struct proxy_job job = {.data = NULL};

    memcpy(&job.request, s->from_owner.data, sizeof(job.request));
    job.in = s->from_owner.data + sizeof(job.request);
    proxy_answer(s, &job);
    buffer_drop(&s->from_owner, sizeof(job.request) + (size_t)job.request.data_len);
    job.reply.id = job.request.id;
    job.reply.gdb = s->clients.gdb_fd >= 0 && s->proxy.session;
    job.reply.refused = s->clients.refused;
    s->clients.refused = false;
    buffer_add(&s->to_owner, &job.reply, sizeof(job.reply));
    buffer_add(&s->to_owner, job.data, (size_t)job.reply.data_len);
    free(job.data);
    if (s->to_owner.failed)
        proxy_owner_leaves(s);
}

static bool has_request(struct proxy_serving *s)
{
    struct proxy_request request;

    if (s->from_owner.len < sizeof(request))
        return false;
    memcpy(&request, s->from_owner.data, sizeof(request));
    if (request.len > PROXY_DATA_MAX || request.data_len > PROXY_DATA_MAX)
        proxy_owner_leaves(s);
    return s->owner_fd >= 0 && s->from_owner.len - sizeof(request) >= request.data_len;
}

static void take_owner(struct proxy_serving *s)
{
    char bytes[16384];
    ssize_t len = fd_read(s->owner_fd, bytes, sizeof(bytes), 0);

    if (len < 0)
        proxy_owner_leaves(s);
    else if (len > 0)
        buffer_add(&s->from_owner, bytes, (size_t)len);
    if (s->owner_fd >= 0 && s->from_owner.failed)
        proxy_owner_leaves(s);
    while (s->owner_fd >= 0 && has_request(s))
        serve_owner(s);
}

static void wait_on_others(const struct proxy_serving *s, struct pollfd fds[PROXY_AT_END])
{
    for (size_t i = 0; i < PROXY_AT_END; i++)
        fds[i] = proxy_wait_on(-1, false);
    fds[PROXY_AT_OWNER] = proxy_wait_on(s->owner_fd, s->to_owner.len > 0);
    for (size_t i = 0; i < s->listeners->count; i++)
        fds[PROXY_AT_LISTENERS + i] = proxy_wait_on(s->listeners->fds[i], false);
    for (size_t i = 0; i < s->clients.going_count; i++)
        fds[PROXY_AT_GOING + i] = proxy_wait_on(s->clients.going[i].fd, false);
}

static uint64_t next_deadline(const struct proxy_serving *s)
{
    uint64_t clients_ns = proxy_clients_deadline(s);
    uint64_t watch_ns = proxy_watch_deadline(&s->watch);

    return clients_ns < watch_ns ? clients_ns : watch_ns;
}

static void turn_once(struct proxy_serving *s)
{
    struct pollfd fds[PROXY_AT_END];

    wait_on_others(s, fds);
    uint64_t heard_ns = proxy_exchange(s, fds, true, next_deadline(s));
    for (size_t i = PROXY_AT_GOING; i < PROXY_AT_END; i++) {
        if (proxy_came(&fds[i]))
            proxy_clients_take_going(s, fds[i].fd);
    }
    for (size_t i = 0; i < s->listeners->count; i++) {
        if (proxy_came(&fds[PROXY_AT_LISTENERS + i]))
            proxy_clients_accept(s, s->listeners->fds[i]);
    }
    if (proxy_came(&fds[PROXY_AT_OWNER]) && s->owner_fd >= 0)
        take_owner(s);
    proxy_tick(&s->proxy, clock_now_ns());
    proxy_clients_tick(s, heard_ns);
    proxy_end_halt(s);
}

/* Without an owner a session is ended as its gdb wants it, and the last words to it are said. */
static bool is_wanted(const struct proxy_serving *s)
{
    if (s->owner_fd >= 0)
        return true;
    return s->proxy.error.code == GDBMI_OK && s->clients.gdb_fd >= 0 &&
           (s->proxy.session || s->proxy.to_gdb.len > 0);
}

void proxy_serve_turn(struct proxy_serving *s)
{
    turn_once(s);
    proxy_drain_seat(s);
    proxy_flush(s);
    if (s->owner_fd < 0)
        proxy_release(s);
}

void proxy_serve_close(struct proxy_serving *s)
{
    struct gdbmi_error ignored;

    proxy_release(s);
    proxy_flush(s);
    proxy_clients_close(s);
    s->link->base.ops->close(&s->link->base, false, &ignored);
}

void proxy_serve_free(struct proxy_serving *s)
{
    proxy_listeners_close(s->listeners);
    proxy_free(&s->proxy);
    buffer_free(&s->from_owner);
    buffer_free(&s->to_owner);
}

void proxy_serve(const struct gdbmi_options *options, struct proxy_listeners *listeners,
                 int owner_fd, pid_t owner)
{
    struct proxy_serving *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return;
    s->listeners = listeners;
    s->owner_fd = owner_fd;
    s->watch.owner = owner;
    if (open_all(s, options) == GDBMI_OK) {
        proxy_flush(s);
        while (is_wanted(s))
            proxy_serve_turn(s);
        proxy_serve_close(s);
    }
    proxy_serve_free(s);
    free(s);
}
