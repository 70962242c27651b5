/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TCP ports for servers that are still to be started. */
#include "port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#define TRIES 20

/* A machine without the protocol has nobody who listens by it. */
static bool can_bind(int family, const struct sockaddr *address, socklen_t len)
{
    int one = 1;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return true;
    /* As servers do: a port whose last connection is winding up is free. */
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bool bound = bind(fd, address, len) == 0 && listen(fd, 1) == 0;
    bool absent = !bound && errno == EADDRNOTAVAIL;
    close(fd);
    return bound || absent;
}

static bool usable(unsigned port)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6,
                              .sin6_port = htons((uint16_t)port),
                              .sin6_addr = IN6ADDR_LOOPBACK_INIT};

    return can_bind(AF_INET, (const struct sockaddr *)&v4, sizeof v4) &&
           can_bind(AF_INET6, (const struct sockaddr *)&v6, sizeof v6);
}

/* A socket that is bound and does not listen stands in no server's way. port 0: any. */
static bool hold(struct port *held, unsigned number)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)number),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int one = 1;

    held->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (held->fd < 0)
        return false;
    setsockopt(held->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(held->fd, (const struct sockaddr *)&address, len) == 0 &&
        getsockname(held->fd, (struct sockaddr *)&address, &len) == 0) {
        held->number = ntohs(address.sin_port);
        return true;
    }
    port_release(held);
    return false;
}

void port_init(struct port *port)
{
    *port = (struct port){.fd = -1};
}

void port_release(struct port *port)
{
    if (port->fd >= 0)
        close(port->fd);
    port_init(port);
}

void port_reserve(struct port *port, unsigned preferred)
{
    port_init(port);
    if (preferred != 0 && usable(preferred) && hold(port, preferred))
        return;
    for (int i = 0; i < TRIES; i++) {
        if (hold(port, 0) && usable(port->number))
            return;
        port_release(port);
    }
}
