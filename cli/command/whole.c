/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A temporary file beside the old one, and then its name. */
#define _XOPEN_SOURCE 700

#include "whole.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

static bool put(FILE *file, const char *text)
{
    return file && fputs(text, file) != EOF && fflush(file) == 0;
}

/* Leaves errno as it was at the first failure. */
static bool finish(FILE *file, bool done)
{
    int saved = errno;

    if (file && fclose(file) != 0 && done)
        return false;
    errno = saved;
    return done;
}

static bool is_replaceable(const char *path)
{
    struct stat about;

    return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

/* As any new file, or as the one that it replaces. */
static mode_t mode_for(const char *path)
{
    struct stat about;
    mode_t mask = umask(0);

    umask(mask);
    return stat(path, &about) == 0 ? about.st_mode & 0777 : 0666 & ~mask;
}

static bool replace(const char *path, const char *text)
{
    char name[PATH_MAX];

    if ((size_t)snprintf(name, sizeof(name), "%s.XXXXXX", path) >= sizeof(name)) {
        errno = ENAMETOOLONG;
        return false;
    }
    int fd = mkstemp(name);
    if (fd < 0)
        return false;
    FILE *file = fdopen(fd, "w");
    bool done = put(file, text) && fchmod(fd, mode_for(path)) == 0 && fsync(fd) == 0;
    if (!file)
        close(fd);
    done = finish(file, done) && rename(name, path) == 0;
    int saved = errno;
    if (!done)
        unlink(name);
    errno = saved;
    return done;
}

static bool write_file(const char *path, const char *text)
{
    char real[PATH_MAX];

    if (is_replaceable(path))
        return replace(realpath(path, real) ? real : path, text);
    FILE *file = fopen(path, "we");
    return finish(file, put(file, text));
}

int whole_write(const char *path, const char *text)
{
    if (path ? write_file(path, text) : put(stdout, text))
        return STATUS_DONE;
    complain("%s could not be written: %s", path ? path : "the output", strerror(errno));
    return STATUS_FAILED;
}
