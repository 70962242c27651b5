/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of text over a socket: the framing of QMP, of qtest and of the rig's own control. */
#include "line.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

void line_init(struct line *line, int fd)
{
    line->fd = fd;
    line->used = 0;
    line->taken = 0;
}

int line_send(struct line *line, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(line->fd, text, len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return -1;
        text += sent;
        len -= (size_t)sent;
    }
    return 0;
}

static int take_buffered(struct line *line, char **text)
{
    memmove(line->buffer, line->buffer + line->taken, line->used - line->taken);
    line->used -= line->taken;
    line->taken = 0;
    char *end = memchr(line->buffer, '\n', line->used);
    if (!end)
        return 0;
    line->taken = (size_t)(end - line->buffer) + 1;
    *end = '\0';
    if (end > line->buffer && end[-1] == '\r')
        end[-1] = '\0';
    *text = line->buffer;
    return 1;
}

int line_take(struct line *line, char **text, int timeout_ms)
{
    for (;;) {
        if (take_buffered(line, text))
            return 1;
        if (line->used == sizeof line->buffer)
            return -1;
        struct pollfd wait = {.fd = line->fd, .events = POLLIN};
        int ready = poll(&wait, 1, timeout_ms);
        if (ready <= 0)
            return ready == 0 || errno == EINTR ? 0 : -1;
        ssize_t len =
            recv(line->fd, line->buffer + line->used, sizeof line->buffer - line->used, 0);
        if (len <= 0)
            return -1;
        line->used += (size_t)len;
    }
}
