/* SPDX-License-Identifier: 0BSD */
/* The proxy process at work: its connections, and the requests of the link that started it. */
#ifndef GDBMI_SRC_PROXY_SERVE_H
#define GDBMI_SRC_PROXY_SERVE_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

#include "address.h"
#include "proxy.h"
#include "proxy_clients.h"
#include "proxy_listen.h"
#include "proxy_request.h"
#include "rsp_link.h"

struct proxy_serving {
    struct gdbmi_stream seat; /* what the link below takes for the server */
    struct rsp_link *link;    /* NULL: not open */
    struct proxy proxy;
    struct address address; /* of the server */
    struct gdbmi_stream *server;
    struct gdbmi_error lost; /* why the server is */
    struct proxy_listeners *listeners;
    int timeout_ms;
    int owner_fd; /* of who started us; -1: gone */
    struct proxy_clients clients;
    bool probed;        /* whether the server answers while the core runs */
    uint64_t good_addr; /* could be read last */
    size_t good_len;
    unsigned unseen_halts; /* that the owner does not know of */
    struct proxy_bytes from_owner, to_owner;
};

/* Serves until it is to end. It takes over the listeners and the descriptor. */
void proxy_serve(const struct gdbmi_options *options, struct proxy_listeners *listeners,
                 int owner_fd);

/*
 * The parts of that, for tests. proxy_serve_open() greets the server that s->server is connected
 * to, at s->address; a turn waits until something happens, and deals with it. proxy_serve_close()
 * ends what was opened, and proxy_serve_free() comes last, also when opening failed.
 */
enum gdbmi_code proxy_serve_open(struct proxy_serving *serving, const struct gdbmi_options *options,
                                 struct gdbmi_error *error) __attribute__((warn_unused_result));
void proxy_serve_turn(struct proxy_serving *serving);
void proxy_serve_close(struct proxy_serving *serving);
void proxy_serve_free(struct proxy_serving *serving);

/* Waits until something happens, at most until the deadline, and passes bytes on. */
void proxy_pump(struct proxy_serving *serving, uint64_t deadline);

/* Begins a turn of ours; false: gdb and the server are busy with each other for too long. */
bool proxy_await_turn(struct proxy_serving *serving);

/* Does what a request says. *data, NULL or the caller's to free, is what follows the reply. */
void proxy_answer(struct proxy_serving *serving, const struct proxy_request *request,
                  const char *in, struct proxy_reply *reply, char **data);

/* Lets the core go, if we hold it. */
void proxy_release(struct proxy_serving *serving);

/* Halts the core for a gdb that has come, and removes breakpoints that one before it left, as
 * servers do. */
enum gdbmi_code proxy_greet(struct proxy_serving *serving);

#endif
