/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and reads files. */
#define _XOPEN_SOURCE 700

#include <base/file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <base/nearest.h>
#include <base/path.h>

static bool check_kind(int fd, const char *kind, struct stat *about, char why[FILE_WHY_MAX])
{
    if (fstat(fd, about) != 0)
        snprintf(why, FILE_WHY_MAX, "%s", strerror(errno));
    else if (S_ISDIR(about->st_mode))
        snprintf(why, FILE_WHY_MAX, "this is a folder, not %s; give a file in it", kind);
    else if (!S_ISREG(about->st_mode))
        snprintf(why, FILE_WHY_MAX, "this is not a regular file; copy it to one first");
    else
        return true;
    return false;
}

/* Names of files may contain anything; those that cannot be printed are not offered. */
static bool is_printable(const char *name)
{
    while ((unsigned char)*name >= ' ' && *name != 0x7f)
        name++;
    return *name == '\0';
}

/* Appends the name in the folder of path that was probably meant, or advice if none is similar. */
static void add_nearest(const char *path, char why[FILE_WHY_MAX])
{
    const char *base = path_base_name(path);
    char folder[FILE_WHY_MAX / 2], best[NEAREST_MAX + 1];
    struct nearest near;
    struct dirent *entry;
    size_t len = strlen(why), folder_len = (size_t)(base - path);

    if (folder_len >= sizeof(folder))
        return;
    snprintf(folder, sizeof(folder), "%.*s", (int)folder_len, path);
    DIR *dir = opendir(folder_len ? folder : ".");
    nearest_begin(&near, base, strlen(base));
    while (dir && (entry = readdir(dir)) != NULL) {
        if (!is_printable(entry->d_name))
            continue;
        nearest_offer(&near, entry->d_name);
        if (near.name == entry->d_name) { /* which the next readdir() overwrites */
            snprintf(best, sizeof(best), "%.*s", NEAREST_MAX, entry->d_name);
            near.name = best;
        }
    }
    if (dir)
        closedir(dir);
    if (!nearest_hint(&near, folder, why + len, FILE_WHY_MAX - len)[0])
        snprintf(why + len, FILE_WHY_MAX - len, "; check the path");
}

int file_open(const char *path, const char *kind, struct stat *about, char why[FILE_WHY_MAX])
{
    /* Not blocking: opening a pipe without a writer would never return. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char unread[FILE_WHY_MAX];
    bool missing = fd < 0 && errno == ENOENT && why;

    why = why ? why : unread;
    if (fd < 0) {
        snprintf(why, FILE_WHY_MAX, "%s", strerror(errno));
        if (missing)
            add_nearest(path, why);
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
