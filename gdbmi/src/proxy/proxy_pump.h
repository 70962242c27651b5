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

void proxy_owner_leaves(struct proxy_serving *serving);

/* Waits until something happens, at most until the deadline, and passes bytes on. A gdb outside of
 * a session is heard by the loop only, because its coming takes requests. */
void proxy_pump(struct proxy_serving *serving, uint64_t deadline);

/* Begins a turn of the seat. Returns false if gdb and the server are busy for too long. */
bool proxy_await_turn(struct proxy_serving *serving);

/* Descriptors that are waited for together; of those that are not (-1) nothing comes. */
enum {
    PROXY_AT_SERVER,
    PROXY_AT_GDB,
    PROXY_AT_OWNER,
    PROXY_AT_LISTENERS,
    PROXY_AT_GOING = PROXY_AT_LISTENERS + PROXY_LISTENERS_MAX,
    PROXY_AT_END = PROXY_AT_GOING + PROXY_REFUSED_MAX,
};

/* Waits for the server, the gdb if it is to be heard, and who else is in fds; passes on what the
 * former two say. Returns until when it is known who has said something; 0: of nobody. */
uint64_t proxy_exchange(struct proxy_serving *serving, struct pollfd fds[PROXY_AT_END],
                        bool hear_gdb, uint64_t deadline);

/* What to wait for: bytes, and room for some if any are to go out. */
struct pollfd proxy_wait_on(int fd, bool out);

/* Whether something came there, which may be its end. */
bool proxy_came(const struct pollfd *fd);

#endif
