/* SPDX-License-Identifier: 0BSD */
/* Bytes between the sides of the proxy process: what is waited for, and passed on. */
#ifndef GDBMI_SRC_PROXY_PUMP_H
#define GDBMI_SRC_PROXY_PUMP_H

#include <poll.h>

#include "proxy_serving.h"

/* The seat, which the link below takes for the server. */
extern const struct gdbmi_stream_ops proxy_seat_ops;

/* Sends what is to go out, and ends the connections that take no more. */
void proxy_flush(struct proxy_serving *serving);

/* Takes what the server says. */
void proxy_take_server(struct proxy_serving *serving);

void proxy_owner_leaves(struct proxy_serving *serving);

/* Waits until something happens, at most until the deadline, and passes bytes on. A gdb outside of
 * a session is heard by the loop only, because its coming takes requests. */
void proxy_pump(struct proxy_serving *serving, uint64_t deadline);

/* Begins a turn of ours; false: gdb and the server are busy with each other for too long. */
bool proxy_await_turn(struct proxy_serving *serving);

/* Descriptors that are waited for together. */
struct proxy_waiting {
    struct pollfd fds[3 + PROXY_LISTENERS_MAX + PROXY_REFUSED_MAX];
    nfds_t count;
};

/* Adds a descriptor; NULL: there is none (fd is -1). */
const struct pollfd *proxy_wait_on(struct proxy_waiting *waiting, int fd, bool in, bool out);

/* Returns until when it is known who has said something; 0: of nobody. */
uint64_t proxy_wait_until(struct proxy_serving *serving, struct proxy_waiting *waiting,
                          uint64_t deadline);

/* Whether something came there, which may be its end; of NULL nothing does. */
bool proxy_came(const struct pollfd *fd);

#endif
