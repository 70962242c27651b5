/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text into a file, or to stdout. */
#define _POSIX_C_SOURCE 200809L

#include <base/output.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/atomic_write.h>
#include <base/path.h>
#include <base/say.h>

static bool reader_left;

static bool has_reader(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};

    return poll(&p, 1, 0) != 1 || !(p.revents & POLLERR);
}

int output_failed(const char *path, const char *why)
{
    if (!path && !has_reader(STDOUT_FILENO))
        reader_left = true;
    else
        complain("cannot write %s%s%s", path ? path : "the output", why ? ": " : "",
                 why ? why : "");
    return STATUS_FAILED;
}

bool output_is_left(void)
{
    return reader_left;
}

static bool write_file(const char *path, const char *text)
{
    struct atomic_write file;

    if (!atomic_write_open(&file, path, false))
        return false;
    return atomic_write_close(&file, fputs(text, file.out) != EOF);
}

int output_write(const char *path, const char *text)
{
    if (path ? write_file(path, text) : fputs(text, stdout) != EOF && fflush(stdout) == 0)
        return STATUS_DONE;
    return output_failed(path, strerror(errno));
}

static bool is_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* false: there is no such folder. */
static bool find_folder(const char *path, struct stat *about)
{
    size_t len = strlen(path) - strlen(path_base_name(path));
    char folder[PATH_MAX];

    if (len >= sizeof(folder) - 1)
        return false;
    snprintf(folder, sizeof(folder), "%.*s.", (int)len, path);
    return stat(folder, about) == 0;
}

bool output_is_same(const char *a, const char *b)
{
    struct stat x, y;
    bool have_x = (a ? stat(a, &x) : fstat(STDOUT_FILENO, &x)) == 0, have_y = stat(b, &y) == 0;

    if (have_x && have_y)
        return S_ISREG(x.st_mode) && is_one(&x, &y);
    if (have_x || have_y || !a || strcmp(path_base_name(a), path_base_name(b)) != 0)
        return false;
    return strcmp(a, b) == 0 || (find_folder(a, &x) && find_folder(b, &y) && is_one(&x, &y));
}
