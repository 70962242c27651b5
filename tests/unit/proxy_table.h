/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A proxy with a server, a gdb and a seat around it, all played by the test. */
#ifndef PROXY_TABLE_H
#define PROXY_TABLE_H

#include "proxy.h"

#define TIMEOUT_MS 2000
#define MS         1000000U
#define RUN        "vCont;c:p1.-1"

enum side { SERVER, GDB, SEAT };

struct table {
    struct proxy proxy;
    size_t chunk; /* bytes that are fed at once */
    uint64_t now;
};

void feed(struct table *t, enum side from, const char *bytes, size_t len);

/* Says it as a packet; what begins with '~' goes raw. */
void say(struct table *t, enum side from, const char *text);

struct buffer *out(struct table *t, enum side to);

/* All that went to a side since the last look: packets, "~" for raw bytes, up to a NULL. */
void hears(struct table *t, enum side to, ...);
void quiet(struct table *t);

/* A server without acks, opened by the seat, and a gdb without acks that is halted and idle; or
 * both with acks. */
void open_table(struct table *t, size_t chunk, enum rsp_server server, bool live);
void open_with_acks(struct table *t, size_t chunk);
void close_table(struct table *t);

/* gdb lets the core run; it stops so, which gdb and we hear of. */
void continues(struct table *t);
void stops(struct table *t, const char *how);

/* Our turn, which begins with a Ctrl-C. */
void begin_hold(struct table *t);

/* gdb asks and is answered: the two are in step. We ask and are answered. */
void check_step(struct table *t);
void check_read(struct table *t);

/* Plays with the bytes cut into pieces of several sizes. */
typedef void scenario(struct table *t);
void run(scenario *play, enum rsp_server server, bool live);

#endif
