/* SPDX-License-Identifier: 0BSD */
/* The proxy process at work: its connections, and the requests of the link that started it. */
#ifndef GDBMI_SRC_PROXY_SERVE_H
#define GDBMI_SRC_PROXY_SERVE_H

#include "proxy_listen.h"
#include "proxy_serving.h"

/* Serves until it is to end. It takes over the listeners and the descriptor. owner: the process at
 * the other end of that. */
void proxy_serve(const struct gdbmi_options *options, struct proxy_listeners *listeners,
                 int owner_fd, pid_t owner);

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

#endif
