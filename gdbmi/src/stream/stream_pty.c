/* SPDX-License-Identifier: 0BSD */
/* Opens a pseudo-terminal, reads and writes our end of it, and tends the link to the other. */
#define _XOPEN_SOURCE 700 /* for posix_openpt() */

#include "stream_pty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "clock.h"
#include "descriptor.h"

#define PTS_DIR "/dev/pts/"

/* How long a gdb is waited for that is to be left; one that is busier does not look at us. */
#define LEAVE_MS 10000
/* Above any token of a link's or a guardian's commands. */
#define LEAVE_TOKEN "999999999"
#define LEAVE_MARK  "mprof disconnected"

static const char *name_of(const struct pty_stream *s)
{
    return s->link[0] != '\0' ? s->link : s->path;
}

static int say_left(const struct pty_stream *s, struct gdbmi_error *error)
{
    gdbmi_error_set(error, GDBMI_ECLOSED, "%s: gdb has closed it", name_of(s));
    return -1;
}

/* From now on the other end's last close is seen. */
static void let_other_go(struct pty_stream *s)
{
    if (s->other >= 0)
        close(s->other);
    s->other = -1;
}

/* An error (EIO) says that nobody has the other end open any more. */
static int pty_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                    struct gdbmi_error *error)
{
    struct pty_stream *s = (struct pty_stream *)base;
    ssize_t len = fd_read(s->fd, bytes, capacity, clock_deadline(timeout_ms));

    if (len > 0)
        let_other_go(s);
    return len < 0 ? say_left(s, error) : (int)len;
}

static int pty_descriptor(const struct gdbmi_stream *base)
{
    return ((const struct pty_stream *)base)->fd;
}

static int pty_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                     struct gdbmi_error *error)
{
    const struct pty_stream *s = (const struct pty_stream *)base;
    ssize_t sent = fd_write(s->fd, bytes, len, clock_deadline(timeout_ms));

    if (sent < 0)
        return say_left(s, error);
    if ((size_t)sent == len)
        return 0;
    gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: gdb accepts no more commands", name_of(s));
    return -1;
}

/* True: gdb has answered, or its shell waits. text holds what came, as much as fits. */
static bool is_left(const char *text)
{
    return strstr(text, LEAVE_MARK) != NULL || strstr(text, LEAVE_TOKEN "^") != NULL;
}

/* What does not fit is dropped, but for an end in which the mark may have begun. */
static void await_leave(struct pty_stream *s)
{
    uint64_t deadline = clock_deadline(LEAVE_MS);
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    char text[1024];
    size_t len = 0;
    int count;

    do {
        size_t kept = len < sizeof(LEAVE_MARK) ? len : sizeof(LEAVE_MARK);
        memmove(text, text + len - kept, kept);
        count = pty_read(&s->base, text + kept, sizeof(text) - kept - 1, clock_left_ms(deadline),
                         &ignored);
        len = kept + (size_t)(count > 0 ? count : 0);
        text[len] = '\0';
        for (size_t i = 0; i < len; i++)
            text[i] = text[i] != '\0' ? text[i] : ' ';
    } while (count > 0 && !is_left(text));
}

/* cat fails with a status of 1 (EIO) while the terminal is being hung up, and ends well behind
 * that. */
void pty_take_leave(int fd)
{
    static const char format[] =
        "\n" LEAVE_TOKEN "-interpreter-exec console \"shell exec sh -c 'exec 3<>%s && "
        "echo " LEAVE_MARK " >&3 && while cat <&3 >/dev/null 2>&1; test $? = 1; do :; done'\"\n";
    struct pty_stream s = {.fd = fd, .other = -1};
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    const char *path = ptsname(fd);
    char line[sizeof(format) + sizeof(s.path)];

    if (path == NULL || strlen(path) >= sizeof(s.path))
        return;
    int len = snprintf(line, sizeof(line), format, path);
    if (pty_write(&s.base, line, (size_t)len, LEAVE_MS, &ignored) == 0)
        await_leave(&s);
}

static bool points_to(const char *link, const char *path)
{
    char target[sizeof(((struct pty_stream *)NULL)->path)];
    ssize_t len = readlink(link, target, sizeof(target) - 1);

    return len >= 0 && strlen(path) == (size_t)len && memcmp(target, path, (size_t)len) == 0;
}

static void pty_close(struct gdbmi_stream *base)
{
    struct pty_stream *s = (struct pty_stream *)base;

    if (s->link[0] != '\0' && points_to(s->link, s->path))
        unlink(s->link);
    if (s->other < 0 && s->fd >= 0)
        pty_take_leave(s->fd);
    let_other_go(s);
    if (s->fd >= 0)
        close(s->fd);
    free(s);
}

static const struct gdbmi_stream_ops pty_ops = {
    .read = pty_read,
    .write = pty_write,
    .descriptor = pty_descriptor,
    .close = pty_close,
};

/* Bytes pass as they are: no echo, no line editing, no signals. */
static int make_raw(int fd)
{
    struct termios settings;

    if (tcgetattr(fd, &settings) != 0)
        return -1;
    settings.c_iflag = 0;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = (settings.c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    return tcsetattr(fd, TCSANOW, &settings);
}

static int open_ends(struct pty_stream *s)
{
    s->fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (s->fd < 0 || grantpt(s->fd) != 0 || unlockpt(s->fd) != 0)
        return -1;
    const char *path = ptsname(s->fd);
    if (path == NULL || strlen(path) >= sizeof(s->path))
        return -1;
    memcpy(s->path, path, strlen(path) + 1);
    /* Without it a read says that the other end has left, before anybody came. */
    s->other = open(s->path, O_RDWR | O_NOCTTY);
    if (s->other < 0 || make_raw(s->other) != 0)
        return -1;
    return fcntl(s->other, F_SETFD, FD_CLOEXEC) == 0 ? fd_prepare(s->fd) : -1;
}

/* A link of ours that outlived us: to a terminal that is gone, or that is this one now. */
static bool is_left_over(const struct pty_stream *s, const char *link)
{
    char target[sizeof(s->path)];
    struct stat status;
    ssize_t len = readlink(link, target, sizeof(target) - 1);

    if (len < 0 || strncmp(target, PTS_DIR, strlen(PTS_DIR)) != 0)
        return false;
    return points_to(link, s->path) || (stat(link, &status) != 0 && errno == ENOENT);
}

static enum gdbmi_code make_link(struct pty_stream *s, const char *link, struct gdbmi_error *error)
{
    if (strlen(link) >= sizeof(s->link))
        return gdbmi_error_set(error, GDBMI_EARG, "%.100s...: the path is too long for a link",
                               link);
    if (is_left_over(s, link))
        unlink(link);
    if (symlink(s->path, link) != 0 && errno == EEXIST)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%s: exists already: give a path that does not exist yet", link);
    if (!points_to(link, s->path))
        return gdbmi_error_set(error, GDBMI_EARG, "%s: cannot make a link: %s", link,
                               strerror(errno));
    memcpy(s->link, link, strlen(link) + 1);
    return GDBMI_OK;
}

enum gdbmi_code pty_stream_open(const char *link, struct pty_stream **stream,
                                struct gdbmi_error *error)
{
    enum gdbmi_code code = GDBMI_OK;

    struct pty_stream *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "a pseudo-terminal: out of memory");
    made->base.ops = &pty_ops;
    made->fd = made->other = -1;
    if (open_ends(made) != 0)
        code = gdbmi_error_set(error, GDBMI_ECONNECT, "cannot open a pseudo-terminal: %s",
                               strerror(errno));
    else if (link != NULL)
        code = make_link(made, link, error);
    if (code != GDBMI_OK) {
        pty_close(&made->base);
        return code;
    }
    *stream = made;
    return GDBMI_OK;
}
