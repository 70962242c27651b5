/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The size of a terminal, as its driver knows it. */
#define _POSIX_C_SOURCE 200809L

#include <base/output_size.h>

#include <sys/ioctl.h>

unsigned output_width(int fd)
{
    struct winsize size;

    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

unsigned output_height(int fd)
{
    struct winsize size;

    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}
