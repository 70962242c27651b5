/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A faulty wire over sockets: listens, connects each client to the server, and damages what they
 * say.
 */
#ifndef RELAY_H
#define RELAY_H

#include "wire.h"

struct relay;

/* Listens on a free port of 127.0.0.1. server: "HOST:PORT" of this host's addresses, or the path of
 * a unix socket. NULL, with errno: not possible. */
struct relay *relay_open(const char *server, const struct wire_plan *plan);

/* "127.0.0.1:PORT" */
const char *relay_address(const struct relay *relay);

/* Ends it and returns how many faults there were. */
unsigned relay_close(struct relay *relay);

#endif
