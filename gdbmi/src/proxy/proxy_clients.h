/* SPDX-License-Identifier: 0BSD */
/* Who comes to the port of the proxy: one gdb at a time, for which there are limits. */
#ifndef GDBMI_SRC_PROXY_CLIENTS_H
#define GDBMI_SRC_PROXY_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <gdbmi/error.h>

#include "proxy_frame.h"

struct proxy_serving;

/* Clients that are told to go at the same time; more are closed at once. */
#define PROXY_REFUSED_MAX 4

/* Makes the server ready for a gdb whose session begins; an error: it cannot. */
typedef enum gdbmi_code proxy_greeter(struct proxy_serving *serving);

/* The gdb that is served, and those that are not. */
struct proxy_clients {
    proxy_greeter *greet;
    int gdb_fd;                /* -1: none */
    struct proxy_framer first; /* what it says before its session */
    uint64_t first_until_ns;   /* its first packet is due by then; UINT64_MAX: it has come */
    uint64_t unread_until_ns;  /* it is to read something by then; UINT64_MAX: nothing waits */
    bool refused;              /* somebody was, and the owner does not know yet */
    struct proxy_refused {
        int fd;
        uint64_t until_ns;
        bool told;
    } going[PROXY_REFUSED_MAX];
    size_t going_count;
};

void proxy_clients_init(struct proxy_clients *clients, proxy_greeter *greet);
void proxy_clients_close(struct proxy_serving *serving);

/* Takes who waits at a listener: as our gdb if there is none; anybody else is told to go. */
void proxy_clients_accept(struct proxy_serving *serving, int listener);

/* Takes what the gdb says. Its first whole packet begins a session: for less the core is not
 * halted, because who only looks whether somebody listens is no gdb. */
void proxy_clients_take_gdb(struct proxy_serving *serving);

/* Reads from a refused client and sends it the refusal. */
void proxy_clients_take_going(struct proxy_serving *serving, int fd);

/* Sends the gdb what it takes now. */
void proxy_clients_flush(struct proxy_serving *serving);

/* Closes the connection to the gdb. */
void proxy_clients_drop_gdb(struct proxy_serving *serving);

/* When proxy_clients_tick() is to be called at the latest, UINT64_MAX: never. It ends the
 * connections whose time was over at heard_ns: what had come by then must have been taken. Time
 * that our own work took since then is not the clients'. */
uint64_t proxy_clients_deadline(const struct proxy_serving *serving);
void proxy_clients_tick(struct proxy_serving *serving, uint64_t heard_ns);

/* Sends what can be sent; false: nobody is there any more. */
bool proxy_socket_flush(int fd, struct buffer *out);

#endif
