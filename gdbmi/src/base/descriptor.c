/* SPDX-License-Identifier: 0BSD */
/* Descriptors that are waited for, read and written until a deadline. */
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"

int fd_prepare(int fd)
{
    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 ? 0 : -1;
}

int fd_wait(int fd, short events, uint64_t deadline)
{
    struct pollfd poll_fd = {.fd = fd, .events = events};
    int result;

    do {
        result = poll(&poll_fd, 1, clock_left_ms(deadline));
    } while (result < 0 && errno == EINTR);
    return result;
}

/* A call that failed so may succeed later. */
static bool is_passing(int number)
{
    return number == EINTR || number == EAGAIN || number == EWOULDBLOCK;
}

ssize_t fd_read(int fd, void *bytes, size_t capacity, uint64_t deadline)
{
    int ready;

    while ((ready = fd_wait(fd, POLLIN, deadline)) > 0) {
        ssize_t len = read(fd, bytes, capacity);
        if (len > 0)
            return len;
        if (len == 0)
            errno = 0;
        if (!is_passing(errno))
            return -1;
        if (clock_left_ms(deadline) == 0)
            return 0;
    }
    return ready;
}

static ssize_t write_some(int fd, const void *bytes, size_t len)
{
    ssize_t count = send(fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);

    return count < 0 && errno == ENOTSOCK ? write(fd, bytes, len) : count;
}

ssize_t fd_write(int fd, const void *bytes, size_t len, uint64_t deadline)
{
    const char *at = bytes;
    size_t left = len;
    int ready = 1;

    while (left > 0 && (ready = fd_wait(fd, POLLOUT, deadline)) > 0) {
        ssize_t count = write_some(fd, at, left);
        if (count < 0 && !is_passing(errno))
            return -1;
        if (count < 0 && clock_left_ms(deadline) == 0)
            break;
        at += count > 0 ? count : 0;
        left -= count > 0 ? (size_t)count : 0;
    }
    return ready < 0 ? -1 : (ssize_t)(len - left);
}
