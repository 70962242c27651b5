/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TCP ports that nobody listens on. */
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

/* A port that the kernel gave a moment ago, 0 if it gave none. */
static unsigned draw(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof any;
    unsigned port = 0;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return 0;
    if (bind(fd, (const struct sockaddr *)&any, len) == 0 &&
        getsockname(fd, (struct sockaddr *)&any, &len) == 0)
        port = ntohs(any.sin_port);
    close(fd);
    return port;
}

unsigned port_usable(unsigned preferred)
{
    if (preferred != 0 && usable(preferred))
        return preferred;
    for (int i = 0; i < TRIES; i++) {
        unsigned port = draw();
        if (port != 0 && usable(port))
            return port;
    }
    return 0;
}
