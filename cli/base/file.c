/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and reads files. */
#define _XOPEN_SOURCE 700

#include <base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool check_kind(int fd, const char *kind, struct stat *about, char why[FILE_WHY_MAX])
{
    if (fstat(fd, about) != 0)
        snprintf(why, FILE_WHY_MAX, "%s", strerror(errno));
    else if (S_ISDIR(about->st_mode))
        snprintf(why, FILE_WHY_MAX, "this is a folder, not %s", kind);
    else if (!S_ISREG(about->st_mode))
        snprintf(why, FILE_WHY_MAX, "this is not a regular file");
    else
        return true;
    return false;
}

int file_open(const char *path, const char *kind, struct stat *about, char why[FILE_WHY_MAX])
{
    /* Not blocking: opening a pipe without a writer would never return. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0) {
        snprintf(why, FILE_WHY_MAX, "%s", strerror(errno));
        return -1;
    }
    if (check_kind(fd, kind, about, why))
        return fd;
    close(fd);
    return -1;
}

bool file_read(int fd, void *bytes, size_t len, size_t *have)
{
    *have = 0;
    while (*have < len) {
        ssize_t got = read(fd, (uint8_t *)bytes + *have, len - *have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        *have += (size_t)got;
    }
    return true;
}
