/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small servers in threads, on real ports of this host. */
#ifndef PORT_SERVER_H
#define PORT_SERVER_H

#include <stddef.h>

#include <pthread.h>
#include <sys/socket.h>

#include <gdbmi/rsp.h>

#include "fake_tcl.h"

struct server;

/* Takes what was read, and writes to fd. */
typedef void server_answer(struct server *server, int fd, const char *bytes, size_t len);

/* A server of one connection at a time. */
struct server {
    int listener;
    int stop[2];
    pthread_t thread;
    server_answer *answer;
    const char *text; /* for answer() */
    char address[128];
    char port[16];
    unsigned connections;
    int delay_ms; /* before the first answer */
    struct gdbmi_rsp_reader *reader;
    struct fake_tcl tcl;
};

void start_server(struct server *server, const struct sockaddr *at, socklen_t at_len,
                  server_answer *answer, const char *text);
void start_tcp(struct server *server, server_answer *answer, const char *text);
void stop_server(struct server *server);

/* OpenOCD's Tcl port; text is the list of targets. */
void answer_tcl(struct server *server, int fd, const char *bytes, size_t len);

/* A gdb server whose core is halted at a breakpoint. */
void answer_gdb(struct server *server, int fd, const char *bytes, size_t len);

void answer_text(struct server *server, int fd, const char *bytes, size_t len);
void hang_up(struct server *server, int fd, const char *bytes, size_t len);

/* A port that nobody listens at: bound, so that nobody else takes it meanwhile. Returns its socket.
 */
int reserve_port(char *address, size_t capacity);

#endif
