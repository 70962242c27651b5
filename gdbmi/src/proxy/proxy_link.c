/* SPDX-License-Identifier: 0BSD */
/* A link through a gdb server with one client, which the user's gdb shares through a process of
 * ours: what is asked of the link is asked of that process. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "descriptor.h"
#include "proxy_link.h"
#include "proxy_process.h"
#include "proxy_request.h"

/* Opening takes several answers of the server: so many timeouts are waited for a process that is
 * there and says nothing. */
#define OPEN_TIMEOUTS 30
/* The process has a limit for each request, another one to let the core go after it, and may be at
 * the coming of a gdb when the request comes: so ours is this many times as long. */
#define REQUEST_LIMITS 3

struct proxy_link {
    struct gdbmi_link base;
    int fd;
    int timeout_ms;
    uint64_t id;              /* of the last request */
    struct proxy_reply reply; /* the last one */
    char serve[300];
    char how[320]; /* why, without the gdb */
    void (*tell)(void *context, enum gdbmi_hint hint, const char *line);
    void *context;
};

static struct proxy_link *proxy_of(struct gdbmi_link *base)
{
    return (struct proxy_link *)base;
}

static enum gdbmi_code gone(struct proxy_link *link, ssize_t result, struct gdbmi_error *error)
{
    if (result < 0)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the process that serves %s has ended",
                               link->base.address, link->serve);
    return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: the process that serves %s does not answer",
                           link->base.address, link->serve);
}

static enum gdbmi_code put_bytes(struct proxy_link *link, const void *bytes, size_t len,
                                 uint64_t deadline, struct gdbmi_error *error)
{
    ssize_t sent = fd_write(link->fd, bytes, len, deadline);

    return sent >= 0 && (size_t)sent == len ? GDBMI_OK : gone(link, sent, error);
}

static enum gdbmi_code get(struct proxy_link *link, void *bytes, size_t len, uint64_t deadline,
                           struct gdbmi_error *error)
{
    char *at = bytes;

    while (len > 0) {
        ssize_t got = fd_read(link->fd, at, len, deadline);
        if (got <= 0)
            return gone(link, got, error);
        at += got;
        len -= (size_t)got;
    }
    return GDBMI_OK;
}

static enum gdbmi_code skip(struct proxy_link *link, uint64_t len, uint64_t deadline,
                            struct gdbmi_error *error)
{
    enum gdbmi_code code = GDBMI_OK;
    char bytes[1024];

    while (len > 0 && code == GDBMI_OK) {
        size_t piece = len < sizeof(bytes) ? (size_t)len : sizeof(bytes);
        code = get(link, bytes, piece, deadline, error);
        len -= piece;
    }
    return code;
}

/* One line of a screen. */
static void say_how(struct proxy_link *link)
{
    const char *who = "for your gdb: target remote";

    if (link->reply.gdb)
        who = link->reply.refused ? "a second gdb was refused at" : "your gdb is attached at";
    snprintf(link->base.why, sizeof(link->base.why), "%s %.100s; %.180s", who, link->serve,
             link->how);
}

/* That of the operation is the only one. */
static uint64_t request_deadline(void)
{
    return clock_deadline(INT_MAX);
}

/* Replies to requests before this one, which nobody waited for, are passed over. */
static enum gdbmi_code await_reply(struct proxy_link *link, uint64_t deadline)
{
    struct gdbmi_error *error = &link->base.error;
    struct proxy_reply reply;
    enum gdbmi_code code = get(link, &reply, sizeof(reply), deadline, error);

    while (code == GDBMI_OK && reply.id != link->id) {
        code = skip(link, reply.data_len, deadline, error);
        if (code == GDBMI_OK)
            code = get(link, &reply, sizeof(reply), deadline, error);
    }
    if (code == GDBMI_OK)
        link->reply = reply;
    return code;
}

/* Waits for the reply, which is in link->reply then. */
static enum gdbmi_code ask(struct gdbmi_link *base, struct proxy_request request, const void *data)
{
    struct proxy_link *link = proxy_of(base);
    const struct proxy_reply *reply = &link->reply;
    uint64_t deadline = request_deadline();
    uint64_t since = clock_now_ns();

    request.id = ++link->id;
    request.held = base->held;
    /* What the user asked for is over when he asks for its end. */
    request.halt_ms = request.op == PROXY_RESUME ? 0 : link_halt_ms(base);
    enum gdbmi_code code = put_bytes(link, &request, sizeof(request), deadline, &base->error);
    if (code == GDBMI_OK)
        code = put_bytes(link, data, (size_t)request.data_len, deadline, &base->error);
    if (code == GDBMI_OK)
        code = await_reply(link, deadline);
    if (code != GDBMI_OK)
        return code;
    base->info.live = reply->live;
    base->deaf = reply->deaf;
    base->halts += reply->halts;
    say_how(link);
    if (reply->held && !base->held && request.op != PROXY_HALT)
        link_hold(base, since);
    if (reply->ended_ms != 0)
        link_was_let_go(base, reply->ended_ms);
    if (reply->error.code != GDBMI_OK)
        base->error = reply->error;
    return reply->error.code;
}

/* The len bytes that follow a reply; what it has beyond them is an error of ours. */
static enum gdbmi_code take_data(struct proxy_link *link, void *bytes, size_t len)
{
    if (link->reply.data_len != len)
        return gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL,
                               "%s: the process that serves %s sent %zu bytes instead of %zu",
                               link->base.address, link->serve, (size_t)link->reply.data_len, len);
    return get(link, bytes, len, request_deadline(), &link->base.error);
}

static enum gdbmi_code proxy_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    if (len > PROXY_DATA_MAX)
        return gdbmi_error_set(&base->error, GDBMI_EARG, "%s: the read is too long", base->address);
    enum gdbmi_code code =
        ask(base, (struct proxy_request){.op = PROXY_READ, .addr = addr, .len = len}, NULL);
    return code == GDBMI_OK ? take_data(proxy_of(base), bytes, len) : code;
}

static enum gdbmi_code proxy_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                   size_t len)
{
    if (len > PROXY_DATA_MAX)
        return gdbmi_error_set(&base->error, GDBMI_EARG, "%s: the write is too long",
                               base->address);
    return ask(base, (struct proxy_request){.op = PROXY_WRITE, .addr = addr, .data_len = len},
               bytes);
}

static enum gdbmi_code proxy_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    enum gdbmi_code code = ask(base, (struct proxy_request){.op = PROXY_STATE}, NULL);

    if (code == GDBMI_OK)
        *state = proxy_of(base)->reply.state;
    return code;
}

static enum gdbmi_code proxy_halt(struct gdbmi_link *base, bool *ours)
{
    proxy_of(base)->reply.held = false;
    enum gdbmi_code code = ask(base, (struct proxy_request){.op = PROXY_HALT}, NULL);
    *ours = proxy_of(base)->reply.held;
    return code;
}

static enum gdbmi_code proxy_resume(struct gdbmi_link *base)
{
    return ask(base, (struct proxy_request){.op = PROXY_RESUME}, NULL);
}

static enum gdbmi_code proxy_send_resume(struct gdbmi_link *base)
{
    struct proxy_link *link = proxy_of(base);
    struct proxy_request request = {.op = PROXY_SEND_RESUME, .id = ++link->id, .held = base->held};

    return put_bytes(link, &request, sizeof(request), clock_deadline(link->timeout_ms),
                     &base->error);
}

static enum gdbmi_code proxy_pc(struct gdbmi_link *base, uint64_t *pc)
{
    enum gdbmi_code code = ask(base, (struct proxy_request){.op = PROXY_PC}, NULL);

    if (code == GDBMI_OK)
        *pc = proxy_of(base)->reply.pc;
    return code;
}

static enum gdbmi_code proxy_command(struct gdbmi_link *base, const char *command, char **answer)
{
    struct proxy_request request = {.op = PROXY_COMMAND, .data_len = strlen(command) + 1};

    if (request.data_len > PROXY_DATA_MAX)
        return gdbmi_error_set(&base->error, GDBMI_EARG, "%s: the command is too long",
                               base->address);
    enum gdbmi_code code = ask(base, request, command);
    if (code != GDBMI_OK)
        return code;
    size_t len = (size_t)proxy_of(base)->reply.data_len;
    char *text = calloc(1, len + 1);
    if (text == NULL)
        return gdbmi_error_set(&base->error, GDBMI_ENOMEM, "%s: out of memory", base->address);
    code = take_data(proxy_of(base), text, len);
    if (code == GDBMI_OK)
        *answer = text;
    else
        free(text);
    return code;
}

/* The process ends when it has noticed, unless a gdb is attached: then it goes on without us. */
static void part(struct proxy_link *link)
{
    uint64_t deadline = clock_deadline(link->timeout_ms);
    char line[400];
    char rest;

    shutdown(link->fd, SHUT_WR);
    if (!link->reply.gdb) {
        while (fd_read(link->fd, &rest, 1, deadline) > 0)
            continue;
    } else if (link->tell != NULL) {
        snprintf(line, sizeof(line),
                 "your gdb at %s stays connected: the proxy ends when it disconnects", link->serve);
        link->tell(link->context, GDBMI_HINT_NONE, line);
    }
    close(link->fd);
}

static enum gdbmi_code proxy_close(struct gdbmi_link *base, bool resume, struct gdbmi_error *error)
{
    base->error = (struct gdbmi_error){.code = GDBMI_OK};
    proxy_of(base)->reply.gdb = false;
    enum gdbmi_code code = ask(base, (struct proxy_request){.op = PROXY_CLOSE}, NULL);
    if (!resume && code == GDBMI_ECLOSED) {
        base->error = (struct gdbmi_error){.code = GDBMI_OK};
        code = GDBMI_OK;
    }
    link_warn_held(base, &base->error);
    *error = base->error;
    part(proxy_of(base));
    free(base);
    return code;
}

static const struct gdbmi_link_ops proxy_link_ops = {
    .read = proxy_read,
    .write = proxy_write,
    .state = proxy_state,
    .halt = proxy_halt,
    .resume = proxy_resume,
    .send_resume = proxy_send_resume,
    .pc = proxy_pc,
    .command = proxy_command,
    .close = proxy_close,
};

static void take_opened(struct proxy_link *link, const struct gdbmi_link *opened)
{
    struct gdbmi_link *base = &link->base;

    memcpy(base->server, opened->server, sizeof(base->server));
    memcpy(base->address, opened->address, sizeof(base->address));
    memcpy(base->target, opened->target, sizeof(base->target));
    memcpy(base->arch, opened->arch, sizeof(base->arch));
    memcpy(link->how, opened->why, sizeof(link->how));
    base->info.live = opened->info.live;
    base->info.simulator = opened->info.simulator;
    base->info.entry = opened->info.entry;
    base->deaf = opened->deaf;
    base->halts = opened->halts;
    base->halted_ns = opened->halted_ns;
    say_how(link);
}

static enum gdbmi_code await_opened(struct proxy_link *link, struct gdbmi_error *error)
{
    struct proxy_opened opened;
    uint64_t deadline = clock_deadline(link->timeout_ms * OPEN_TIMEOUTS);

    enum gdbmi_code code = get(link, &opened, sizeof(opened), deadline, error);
    if (code != GDBMI_OK)
        return code;
    if (opened.error.code != GDBMI_OK)
        return gdbmi_error_take(error, &opened.error);
    take_opened(link, &opened.link);
    return GDBMI_OK;
}

static enum gdbmi_code check(const struct gdbmi_options *options, struct gdbmi_error *error)
{
    if (options->tcl == NULL || strcmp(options->tcl, GDBMI_TCL_NONE) == 0)
        return GDBMI_OK;
    return gdbmi_error_set_hint(error, GDBMI_EARG, GDBMI_HINT_SERVE_OR_TCL,
                                "%s: with OpenOCD's Tcl port a gdb needs no proxy", options->tcl);
}

/* The port is taken before the server is touched. */
enum gdbmi_code proxy_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    struct proxy_listeners listeners = {.count = 0};

    enum gdbmi_code code = check(options, error);
    if (code == GDBMI_OK)
        code = proxy_listen(options->serve,
                            options->timeout_ms > 0 ? options->timeout_ms : GDBMI_TIMEOUT_MS,
                            &listeners, error);
    if (code != GDBMI_OK)
        return code;
    struct proxy_link *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        proxy_listeners_close(&listeners);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", options->serve);
    }
    link_init(&made->base, &proxy_link_ops, "gdb-proxy", options->gdb, options->timeout_ms);
    made->base.allow_halt = options->allow_halt;
    made->timeout_ms = made->base.timeout_ms;
    made->base.timeout_ms *= REQUEST_LIMITS;
    made->base.no_sample = "no samples by halts while a gdb shares the link";
    made->tell = options->tell;
    made->context = options->context;
    memcpy(made->serve, listeners.text, sizeof(made->serve));
    code = proxy_process_start(options, &listeners, &made->fd, error);
    if (code == GDBMI_OK) {
        code = await_opened(made, error);
        if (code != GDBMI_OK)
            close(made->fd);
    }
    if (code == GDBMI_OK)
        *link = &made->base;
    else
        free(made);
    return code;
}
