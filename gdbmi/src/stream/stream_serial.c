/* SPDX-License-Identifier: 0BSD */
/* Byte streams over serial lines: probes that are a gdb server themselves. */
#define _DEFAULT_SOURCE

#include "stream_serial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "clock.h"
#include "descriptor.h"

/* How long the last bytes may take to leave. */
#define DRAIN_MS      200
#define DRAIN_STEP_MS 2

struct serial_stream {
    struct gdbmi_stream base;
    int fd;
    struct termios before;
    struct address address;
};

static const struct {
    long speed;
    speed_t code;
} speeds[] = {
    {9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
    {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
    {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
    {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000},
    {3500000, B3500000}, {4000000, B4000000},
};

static int say_gone(const struct serial_stream *stream, struct gdbmi_error *error)
{
    gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the serial line is gone: was it unplugged?",
                    stream->address.text);
    return -1;
}

static int serial_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                       struct gdbmi_error *error)
{
    const struct serial_stream *stream = (const struct serial_stream *)base;
    ssize_t len = fd_read(stream->fd, bytes, capacity, clock_deadline(timeout_ms));

    return len < 0 ? say_gone(stream, error) : (int)len;
}

static int serial_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                        struct gdbmi_error *error)
{
    const struct serial_stream *stream = (const struct serial_stream *)base;
    ssize_t sent = fd_write(stream->fd, bytes, len, clock_deadline(timeout_ms));

    if (sent < 0)
        return say_gone(stream, error);
    if ((size_t)sent == len)
        return 0;
    gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: the serial line accepts no more bytes",
                    stream->address.text);
    return -1;
}

/* The settings change what is still on its way: so it may leave first, but not for ever. */
static void drain(int fd)
{
    uint64_t deadline = clock_deadline(DRAIN_MS);
    int waiting = 0;

    while (ioctl(fd, TIOCOUTQ, &waiting) == 0 && waiting > 0 && clock_left_ms(deadline) > 0)
        clock_sleep_ms(DRAIN_STEP_MS);
}

static void serial_close(struct gdbmi_stream *base)
{
    struct serial_stream *stream = (struct serial_stream *)base;

    drain(stream->fd);
    tcsetattr(stream->fd, TCSANOW, &stream->before);
    ioctl(stream->fd, TIOCNXCL);
    close(stream->fd);
    free(stream);
}

static int serial_descriptor(const struct gdbmi_stream *base)
{
    return ((const struct serial_stream *)base)->fd;
}

static const struct gdbmi_stream_ops serial_ops = {
    .read = serial_read,
    .write = serial_write,
    .close = serial_close,
    .descriptor = serial_descriptor,
};

/* B0: not a speed that lines have. */
static speed_t code_of(long speed)
{
    for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
        if (speeds[i].speed == speed)
            return speeds[i].code;
    }
    return B0;
}

static void make_raw(struct termios *settings, speed_t code)
{
    cfmakeraw(settings);
    settings->c_cflag &= (tcflag_t) ~(CSTOPB | CRTSCTS);
    settings->c_cflag |= CLOCAL | CREAD;
    settings->c_cc[VMIN] = 1;
    settings->c_cc[VTIME] = 0;
    if (code != B0) {
        cfsetispeed(settings, code);
        cfsetospeed(settings, code);
    }
}

/* false: errno says why. The lock is for programs of the superuser, whom TIOCEXCL does not stop. */
static bool claim(struct serial_stream *stream)
{
    struct termios settings;
    speed_t code = code_of(stream->address.speed);

    if (tcgetattr(stream->fd, &stream->before) != 0 || flock(stream->fd, LOCK_EX | LOCK_NB) != 0)
        return false;
    settings = stream->before;
    if (code == B0 && cfgetospeed(&settings) == B0)
        code = B115200;
    make_raw(&settings, code);
    if (tcsetattr(stream->fd, TCSANOW, &settings) != 0)
        return false;
    ioctl(stream->fd, TIOCEXCL);
    tcflush(stream->fd, TCIOFLUSH);
    return true;
}

static enum gdbmi_code cannot(const struct address *address, int number, struct gdbmi_error *error)
{
    const char *text = address->text;

    switch (number) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
        return gdbmi_error_set(
            error, GDBMI_ECONNECT,
            "%s: no such serial line; 'ls /dev/tty*' lists those that are plugged in", text);
    case EACCES:
        return gdbmi_error_set(error, GDBMI_ECONNECT,
                               "%s: permission denied: join the group of serial lines, like 'sudo "
                               "usermod -aG dialout $USER'",
                               text);
    case EBUSY:
    case EWOULDBLOCK:
        return gdbmi_error_set(error, GDBMI_ECONNECT, "%s: another program uses this serial line",
                               text);
    case ENOTTY:
        return gdbmi_error_set(error, GDBMI_ECONNECT, "%s: not a serial line", text);
    default:
        return gdbmi_error_set(error, GDBMI_ECONNECT, "%s: %s", text, strerror(number));
    }
}

enum gdbmi_code stream_serial_open(const struct address *address, struct gdbmi_stream **stream,
                                   struct gdbmi_error *error)
{
    if (address->speed != 0 && code_of(address->speed) == B0)
        return gdbmi_error_set(error, GDBMI_EARG, "%s: serial lines do not support a speed of %ld",
                               address->text, address->speed);
    int fd = open(address->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return cannot(address, errno, error);
    struct serial_stream *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        close(fd);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address->text);
    }
    *made = (struct serial_stream){.base = {.ops = &serial_ops}, .fd = fd, .address = *address};
    if (!claim(made)) {
        int number = errno;
        close(fd);
        free(made);
        return cannot(address, number, error);
    }
    *stream = &made->base;
    return GDBMI_OK;
}
