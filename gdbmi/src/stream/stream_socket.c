/* SPDX-License-Identifier: 0BSD */
/* Byte streams over tcp and unix sockets, non-blocking inside and bounded in time. */
#include <gdbmi/stream.h>

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "address.h"
#include "clock.h"
#include "descriptor.h"
#include "record.h"
#include "resolve.h"
#include "stream_serial.h"
#include "stream_socket.h"

/* How long a server may take to notice that we leave. */
#define LINGER_MS 200

struct socket_stream {
    struct gdbmi_stream base;
    int fd;
    struct address address;
};

static int say_lost(const struct socket_stream *stream, struct gdbmi_error *error)
{
    if (errno == 0)
        gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the server closed the connection",
                        stream->address.text);
    else
        gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost: %s",
                        stream->address.text, strerror(errno));
    return -1;
}

static int socket_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                       struct gdbmi_error *error)
{
    const struct socket_stream *stream = (const struct socket_stream *)base;
    ssize_t len = fd_read(stream->fd, bytes, capacity, clock_deadline(timeout_ms));

    return len < 0 ? say_lost(stream, error) : (int)len;
}

static int socket_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                        struct gdbmi_error *error)
{
    const struct socket_stream *stream = (const struct socket_stream *)base;
    ssize_t sent = fd_write(stream->fd, bytes, len, clock_deadline(timeout_ms));

    if (sent < 0)
        return say_lost(stream, error);
    if ((size_t)sent == len)
        return 0;
    gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: the server accepts no more bytes",
                    stream->address.text);
    return -1;
}

static int socket_descriptor(const struct gdbmi_stream *base)
{
    return ((const struct socket_stream *)base)->fd;
}

/* Bytes that were never read would make the kernel reset the connection, and a reset may overtake
 * the last packet that was sent: so they are read until the server has noticed, or for a while. */
static void socket_close(struct gdbmi_stream *base)
{
    struct socket_stream *stream = (struct socket_stream *)base;
    struct gdbmi_error ignored = {0};
    uint64_t deadline = clock_deadline(base->linger_ms > 0 ? base->linger_ms : LINGER_MS);
    char rest[1024];

    if (!guardian_goes_on(base->guardian) && shutdown(stream->fd, SHUT_WR) == 0) {
        while (clock_left_ms(deadline) > 0 &&
               socket_read(base, rest, sizeof(rest), clock_left_ms(deadline), &ignored) > 0)
            continue;
    }
    close(stream->fd);
    free(stream);
}

static const struct gdbmi_stream_ops socket_ops = {
    .read = socket_read,
    .write = socket_write,
    .descriptor = socket_descriptor,
    .close = socket_close,
};

/* Whether a socket is connected to itself: where nobody listens on a port of this host, the kernel
 * may have given the socket that very port, and TCP lets the two meet (RFC 9293, 3.5, simultaneous
 * open). */
static bool is_own_peer(int fd)
{
    struct sockaddr_storage own, peer;
    socklen_t own_len = sizeof(own), peer_len = sizeof(peer);

    return getsockname(fd, (struct sockaddr *)&own, &own_len) == 0 &&
           getpeername(fd, (struct sockaddr *)&peer, &peer_len) == 0 && own_len == peer_len &&
           memcmp(&own, &peer, own_len) == 0;
}

/* 0, or an errno; *fd is the caller's then only when 0. */
static int connect_one(int family, const struct sockaddr *to, socklen_t to_len, uint64_t deadline,
                       struct guardian *guardian, int *fd)
{
    int result = 0;
    socklen_t result_len = sizeof(result);
    int one = 1;

    int new_fd = socket(family, SOCK_STREAM, 0);
    if (new_fd < 0)
        return errno;
    if (fd_prepare(new_fd) != 0)
        goto failed;
    if (family != AF_UNIX)
        setsockopt(new_fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    guardian_lend(guardian, &new_fd, 1);
    if (connect(new_fd, to, to_len) != 0) {
        if (errno != EINPROGRESS && errno != EINTR)
            goto failed;
        int ready = fd_wait(new_fd, POLLOUT, deadline);
        if (ready < 0)
            goto failed;
        if (ready == 0)
            result = ETIMEDOUT;
        else if (getsockopt(new_fd, SOL_SOCKET, SO_ERROR, &result, &result_len) != 0)
            goto failed;
    }
    if (result == 0 && family != AF_UNIX && is_own_peer(new_fd))
        result = ECONNREFUSED;
    if (result == 0) {
        *fd = new_fd;
        return 0;
    }
    errno = result;

failed:
    result = errno;
    guardian_lend(guardian, NULL, 0);
    close(new_fd);
    return result;
}

static int connect_unix(const struct address *address, uint64_t deadline, struct guardian *guardian,
                        int *fd)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};

    _Static_assert(sizeof(to.sun_path) >= sizeof(address->path), "paths are cut by the parser");
    memcpy(to.sun_path, address->path, sizeof(address->path));
    return connect_one(AF_UNIX, (const struct sockaddr *)&to, sizeof(to), deadline, guardian, fd);
}

/* A host has several addresses (localhost: ::1 and 127.0.0.1): each is tried, in the time for one.
 */
static int connect_tcp(const struct address *address, uint64_t deadline, struct guardian *guardian,
                       int *fd, const char **reason)
{
    struct addrinfo *found = NULL;

    int result = resolve_host(address->host, address->port, deadline, &found, reason);
    if (result != 0)
        return result;
    result = ECONNREFUSED;
    for (const struct addrinfo *at = found; at != NULL; at = at->ai_next) {
        result = connect_one(at->ai_family, at->ai_addr, at->ai_addrlen, deadline, guardian, fd);
        if (result == 0)
            break;
    }
    freeaddrinfo(found);
    return result;
}

static const char *reason_of(int result)
{
    switch (result) {
    case ECONNREFUSED:
        return "connection refused";
    case ETIMEDOUT:
        return "no answer to the connection in time";
    default:
        return strerror(result);
    }
}

/* Opening a line halts nothing: the guardian holds it before the first byte is sent. */
static enum gdbmi_code connect_serial(const struct address *address, struct guardian *guardian,
                                      struct gdbmi_stream **stream, struct gdbmi_error *error)
{
    enum gdbmi_code code = stream_serial_open(address, stream, error);

    if (code != GDBMI_OK)
        return code;
    int fd = gdbmi_stream_descriptor(*stream);
    guardian_lend(guardian, &fd, 1);
    (*stream)->guardian = guardian;
    return GDBMI_OK;
}

static enum gdbmi_code connect_socket(const struct address *address, int timeout_ms,
                                      struct guardian *guardian, struct gdbmi_stream **stream,
                                      struct gdbmi_error *error)
{
    const char *reason = NULL;
    uint64_t deadline = clock_deadline(timeout_ms);
    int fd = -1;

    int result = address->is_unix ? connect_unix(address, deadline, guardian, &fd)
                                  : connect_tcp(address, deadline, guardian, &fd, &reason);
    if (result != 0)
        return gdbmi_error_set_hint(error, result == ETIMEDOUT ? GDBMI_ETIMEOUT : GDBMI_ECONNECT,
                                    result == ECONNREFUSED ? GDBMI_HINT_REFUSED : GDBMI_HINT_NONE,
                                    "%s: %s%s", address->text,
                                    reason != NULL ? reason : reason_of(result),
                                    reason != NULL ? "; check the name of the host" : "");
    struct socket_stream *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        close(fd);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address->text);
    }
    made->base.ops = &socket_ops;
    made->base.guardian = guardian;
    made->fd = fd;
    made->address = *address;
    *stream = &made->base;
    return GDBMI_OK;
}

static enum gdbmi_code connect_to(const char *text, int timeout_ms, struct guardian *guardian,
                                  struct gdbmi_stream **stream, struct gdbmi_error *error)
{
    struct address address;
    struct gdbmi_stream *made = NULL;

    enum gdbmi_code code = address_parse(text, &address, error);
    if (code != GDBMI_OK)
        return code;
    if (record_plays())
        code = record_connect(NULL, address.text, &made, error);
    else if (address.is_serial)
        code = connect_serial(&address, guardian, &made, error);
    else
        code = connect_socket(&address, timeout_ms, guardian, &made, error);
    code = record_connection(NULL, address.text, code, &made, error);
    if (code != GDBMI_OK)
        return code;
    made->guardian = guardian;
    *stream = made;
    return GDBMI_OK;
}

enum gdbmi_code stream_connect_guarded(const char *text, int timeout_ms, struct guardian *guardian,
                                       struct gdbmi_stream **stream, struct gdbmi_error *error)
{
    enum gdbmi_code code = connect_to(text, timeout_ms, guardian, stream, error);

    if (code != GDBMI_OK)
        guardian_dismiss(guardian);
    return code;
}

enum gdbmi_code gdbmi_stream_connect(const char *text, int timeout_ms, struct gdbmi_stream **stream,
                                     struct gdbmi_error *error)
{
    return connect_to(text, timeout_ms, NULL, stream, error);
}
