/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A proxy, clients of its port, and a server whose answers take time that the test says. */
#ifndef PROXY_CLIENTS_CHECKS_H
#define PROXY_CLIENTS_CHECKS_H

#include <sys/socket.h>
#include <sys/un.h>

#include "fake_gdb.h"
#include "proxy_request.h"
#include "proxy_serve.h"

#define FIRST_MS  5000
#define UNREAD_MS 30000
#define GOING_MS  1000
#define OWED_MAX  (1U << 20)

#define HELLO "$qSupported:x#e9"

/* A gdb server whose answers lie in a socket as soon as it was asked. */
struct server {
    struct gdbmi_stream base;
    struct fake_gdb gdb;
    int ours, theirs;
    int delay_ms;  /* of all that it is sent */
    int answer_ms; /* what it says comes so late */
    struct buffer late;
};

/* The one whose answers are late, NULL if none are. */
extern struct server *slow_server;

/* A proxy that serves at a socket, and the server behind it. */
struct scene {
    struct server server;
    struct proxy_listeners listeners;
    struct proxy_serving serving;
    struct sockaddr_un at;
    socklen_t at_len;
};

/* The clock is a fake one from start to end. The core runs, or stands at a breakpoint; without
 * words: it runs, behind OpenOCD. */
struct scene *start_scene_at(enum fake_kind kind, bool running);
struct scene *start_scene(void);
void end_scene(struct scene *scene);

/* A client connects, and the proxy takes a turn. The caller closes it. */
int come(struct scene *scene);

/* Sends the bytes as they are. */
void say(int fd, const char *text);

/* Sends a request with its checksum. */
void ask(int fd, const char *request);

/* What has come to a client, and "EOF" if the proxy has left; valid until the next call. */
const char *hear(int fd);

/* Asks, and turns until the proxy answers. */
void must_be_served(struct scene *scene, int fd);

/* The program that reads memory beside the gdb: it comes, asks for something (4 bytes of RAM, if it
 * reads), is told, and leaves. */
int come_as_owner(struct scene *scene);
struct proxy_reply ask_as_owner(struct scene *scene, int owner, enum proxy_op op);
void leave_as_owner(struct scene *scene, int owner);

#endif
