/* SPDX-License-Identifier: 0BSD */
/* Where the user's gdb connects. */
#include "proxy_listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "address.h"
#include "clock.h"
#include "descriptor.h"
#include "resolve.h"

static int set_up(int fd)
{
    int one = 1;

    if (fd_prepare(fd) != 0)
        return -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
    return 0;
}

/* 0, or an errno. */
static int listen_one(const struct addrinfo *at, int *listener)
{
    int one = 1;

    int fd = socket(at->ai_family, SOCK_STREAM, 0);
    if (fd < 0)
        return errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (at->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
    if (set_up(fd) == 0 && bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, 4) == 0) {
        *listener = fd;
        return 0;
    }
    int result = errno;
    close(fd);
    return result;
}

/* A family that this machine has not is no reason to fail; a port that is taken in one of them is.
 */
static int listen_all(const struct addrinfo *found, struct proxy_listeners *listeners)
{
    int result = EADDRNOTAVAIL;

    for (const struct addrinfo *at = found; at != NULL && listeners->count < PROXY_LISTENERS_MAX;
         at = at->ai_next) {
        int failed = listen_one(at, &listeners->fds[listeners->count]);
        if (failed == EADDRINUSE)
            return failed;
        if (failed == 0)
            listeners->count++;
        else
            result = failed;
    }
    return listeners->count > 0 ? 0 : result;
}

enum gdbmi_code proxy_listen(const char *text, int timeout_ms, struct proxy_listeners *listeners,
                             struct gdbmi_error *error)
{
    struct addrinfo *found = NULL;
    const char *reason = NULL;
    struct address address;

    listeners->count = 0;
    enum gdbmi_code code = address_parse(text, &address, error);
    if (code != GDBMI_OK)
        return code;
    if (address.is_unix)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%.100s: not a port to serve a gdb on: use HOST:PORT or :PORT",
                               text);
    memcpy(listeners->text, address.text, sizeof(listeners->text));
    int result =
        resolve_host(address.host, address.port, clock_deadline(timeout_ms), &found, &reason);
    if (result != 0)
        return gdbmi_error_set(error, GDBMI_ECONNECT, "%s: cannot listen: %s", address.text,
                               reason != NULL ? reason : strerror(result));
    result = listen_all(found, listeners);
    freeaddrinfo(found);
    if (result == 0)
        return GDBMI_OK;
    proxy_listeners_close(listeners);
    if (result == EADDRINUSE)
        return gdbmi_error_set(error, GDBMI_ECONNECT,
                               "%s: cannot listen: the port is in use, by another program or by an "
                               "earlier mprof whose gdb is still attached",
                               address.text);
    return gdbmi_error_set(error, GDBMI_ECONNECT, "%s: cannot listen: %s", address.text,
                           strerror(result));
}

void proxy_listeners_close(struct proxy_listeners *listeners)
{
    while (listeners->count > 0)
        close(listeners->fds[--listeners->count]);
}

int proxy_accept(int listener)
{
    int fd = accept(listener, NULL, NULL);

    if (fd >= 0 && set_up(fd) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}
