/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are written whole or not at all. */
#define _XOPEN_SOURCE 700

#include <base/atomic_write.h>

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The new name is on the disk only when the folder is. */
static void sync_folder(const char *path)
{
    char copy[PATH_MAX];

    snprintf(copy, sizeof(copy), "%s", path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)!fsync(fd);
    close(fd);
}

/* As any new file, or as the one that it replaces. */
static mode_t mode_for(const char *path)
{
    struct stat about;
    mode_t mask = umask(0);

    umask(mask);
    return stat(path, &about) == 0 ? about.st_mode & 0777 : 0666 & ~mask;
}

bool atomic_write_replaces(const char *path)
{
    struct stat about;

    return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

/* A link keeps being one: what it leads to is replaced. */
static bool name_files(struct atomic_write *file, const char *path)
{
    char real[PATH_MAX];
    const char *to = realpath(path, real) ? real : path;

    if ((size_t)snprintf(file->path, sizeof(file->path), "%s", to) < sizeof(file->path) &&
        (size_t)snprintf(file->name, sizeof(file->name), "%s.XXXXXX", to) < sizeof(file->name))
        return true;
    errno = ENAMETOOLONG;
    return false;
}

bool atomic_write_open(struct atomic_write *file, const char *path, bool fresh)
{
    int fd;

    file->path[0] = '\0';
    file->fresh = fresh;
    if (!fresh && !atomic_write_replaces(path))
        fd = open(path, O_WRONLY | O_CLOEXEC);
    else
        fd = name_files(file, path) ? mkstemp(file->name) : -1;
    if (fd < 0)
        return false;
    file->out = fdopen(fd, "wb");
    if (file->out)
        return true;
    close(fd);
    if (file->path[0])
        unlink(file->name);
    return false;
}

bool atomic_write_stands(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool atomic_write_check(const char *path)
{
    struct atomic_write file;
    struct stat about;
    bool there = stat(path, &about) == 0;

    if (there && S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (there && !S_ISREG(about.st_mode))
        return true;
    if (!atomic_write_open(&file, path, false))
        return false;
    (void)atomic_write_close(&file, false);
    return true;
}

/* What is no file cannot always be flushed to a disk. */
static bool flush(const struct atomic_write *file)
{
    if (fflush(file->out) != 0)
        return false;
    if (ferror(file->out)) {
        errno = EIO;
        return false;
    }
    if (fsync(fileno(file->out)) == 0)
        return true;
    return !file->path[0] && (errno == EINVAL || errno == ENOTSUP);
}

/* Gives the file its name, which nobody may have. */
static bool take_name(const struct atomic_write *file)
{
    if (link(file->name, file->path) == 0) {
        unlink(file->name);
        return true;
    }
    if (errno == EEXIST)
        return false;
    /* A file system without links: the name is taken first. */
    int fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    close(fd);
    if (rename(file->name, file->path) == 0)
        return true;
    int saved = errno;
    unlink(file->path);
    errno = saved;
    return false;
}

static bool give_name(const struct atomic_write *file)
{
    return file->fresh ? take_name(file) : rename(file->name, file->path) == 0;
}

bool atomic_write_close(struct atomic_write *file, bool done)
{
    bool replaces = file->path[0] != '\0';

    done =
        done && flush(file) && (!replaces || fchmod(fileno(file->out), mode_for(file->path)) == 0);
    int saved = errno;
    if (fclose(file->out) != 0 && done) {
        saved = errno;
        done = false;
    }
    if (replaces && done && !give_name(file)) {
        saved = errno;
        done = false;
    }
    if (replaces && done)
        sync_folder(file->path);
    else if (replaces)
        unlink(file->name);
    errno = saved;
    return done;
}
