/* SPDX-License-Identifier: 0BSD */
/* The quiet channel: OpenOCD connects back to us, so that results need not be Tcl results, which it
 * prints on the console of every gdb that is attached. */
#include "tcl_quiet.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "address.h"
#include "clock.h"
#include "descriptor.h"
#include "hex.h"
#include "record.h"
#include "stream.h"

#define BACKLOG     16
#define RECEIVE_MAX (1 << 20) /* of what waits for us, as far as the system grants it */
#define STRANGER_MS 400       /* for one that connects and does not say the nonce */

struct quiet_stream {
    struct gdbmi_stream base;
    int fd;
};

bool tcl_quiet_is_near(const char *address)
{
    struct address parsed;
    struct gdbmi_error ignored = {.code = GDBMI_OK};

    return address_parse(address, &parsed, &ignored) == GDBMI_OK && address_is_this_host(&parsed);
}

bool tcl_quiet_random(char *text, size_t count)
{
    unsigned char byte;
    size_t at = 0;

    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    for (; at < count && read(fd, &byte, 1) == 1; at++)
        text[at] = hex_digits[byte & 15];
    text[at] = '\0';
    close(fd);
    record_choice(text, at);
    return at == count;
}

int tcl_quiet_listen(unsigned *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    int room = RECEIVE_MAX;

    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    /* The connection inherits it. */
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
    if (fd_prepare(fd) != 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 ||
        listen(fd, BACKLOG) != 0 || getsockname(fd, (struct sockaddr *)&at, &len) != 0) {
        close(fd);
        return -1;
    }
    *port = ntohs(at.sin_port);
    record_choice(port, sizeof(*port));
    return fd;
}

static int quiet_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                      struct gdbmi_error *error)
{
    struct quiet_stream *stream = (struct quiet_stream *)base;
    ssize_t len = fd_read(stream->fd, bytes, capacity, clock_deadline(timeout_ms));

    if (len < 0)
        gdbmi_error_set(error, GDBMI_ECLOSED, "OpenOCD closed its connection back to mprof");
    return (int)len;
}

static int quiet_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                       struct gdbmi_error *error)
{
    (void)base;
    (void)bytes;
    (void)len;
    (void)timeout_ms;
    gdbmi_error_set(error, GDBMI_EUNSUPPORTED, "OpenOCD's connection back to mprof is read-only");
    return -1;
}

static void quiet_close(struct gdbmi_stream *base)
{
    struct quiet_stream *stream = (struct quiet_stream *)base;

    close(stream->fd);
    free(stream);
}

static const struct gdbmi_stream_ops quiet_ops = {
    .read = quiet_read,
    .write = quiet_write,
    .close = quiet_close,
};

/* Takes over fd. */
static struct gdbmi_stream *stream_of(int fd)
{
    struct quiet_stream *made = calloc(1, sizeof(*made));

    if (made == NULL || fd_prepare(fd) != 0) {
        close(fd);
        free(made);
        return NULL;
    }
    made->base.ops = &quiet_ops;
    made->fd = fd;
    return &made->base;
}

/* Whether the nonce comes, and nothing before it. */
static bool says(struct gdbmi_stream *stream, const char *nonce, uint64_t deadline)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    size_t left = strlen(nonce);
    char bytes[64];

    while (left > 0) {
        int len = stream_read(stream, bytes, left < sizeof(bytes) ? left : sizeof(bytes), deadline,
                              &ignored);
        if (len <= 0 || memcmp(bytes, nonce, (size_t)len) != 0)
            return false;
        nonce += len;
        left -= (size_t)len;
    }
    return true;
}

/* The next connection that was made to us; NULL: none came, or no memory. */
static struct gdbmi_stream *take_connection(int listener, uint64_t deadline)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    struct gdbmi_stream *stream = NULL;

    if (record_plays()) {
        (void)!record_connect(RECORD_LABEL_BACK, "OpenOCD", &stream, &ignored);
        return stream;
    }
    int fd = fd_wait(listener, POLLIN, deadline) > 0 ? accept(listener, NULL, NULL) : -1;
    stream = fd >= 0 ? stream_of(fd) : NULL;
    if (stream == NULL)
        gdbmi_error_set(&ignored, GDBMI_ETIMEOUT, "OpenOCD: no connection came back");
    (void)!record_connection(RECORD_LABEL_BACK, "OpenOCD", ignored.code, &stream, &ignored);
    return stream;
}

struct gdbmi_stream *tcl_quiet_accept(int listener, const char *nonce, int timeout_ms)
{
    uint64_t before = clock_limit_begin((uint64_t)timeout_ms);
    uint64_t deadline = clock_deadline(timeout_ms);
    struct gdbmi_stream *stream = NULL;

    for (int late = 0; late < BACKLOG && (stream = take_connection(listener, deadline)) != NULL;
         late += clock_left_ms(deadline) == 0) {
        if (says(stream, nonce, clock_deadline(STRANGER_MS)))
            break;
        gdbmi_stream_close(stream);
        stream = NULL;
    }
    clock_limit_end(before);
    return stream;
}
