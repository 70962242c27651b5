/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes files completely or not at all. */
#ifndef BASE_ATOMIC_WRITE_H
#define BASE_ATOMIC_WRITE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* A file that is being written. */
struct atomic_write {
    FILE *out;           /* write to this; atomic_write_close() closes it */
    char path[PATH_MAX]; /* the file to replace, links resolved; "" if out is a pipe or device */
    char name[PATH_MAX]; /* of the temporary file, in the same folder */
    bool fresh;          /* no file of this path may exist */
};

/* Creates a temporary file in the folder of path. A path of a pipe or a device, like /dev/stdout,
 * is opened and written to directly. With fresh, a file that exists is never replaced. Returns
 * true, and the caller calls atomic_write_close(); returns false with errno set on failure. */
bool atomic_write_open(struct atomic_write *file, const char *path, bool fresh)
    __attribute__((warn_unused_result));

/* Whether atomic_write_open() would create a temporary file, and not write to path directly. */
bool atomic_write_replaces(const char *path);

/* Whether path is an existing regular file, which atomic_write_close() would replace. */
bool atomic_write_stands(const char *path);

/* Whether a file can be created in the folder of path; tries it, and removes the file. Returns true
 * for a pipe or a device without a try. Returns false with errno set if not. */
bool atomic_write_check(const char *path) __attribute__((warn_unused_result));

/* Closes the file. With done, waits until all of it is on the disk, and then gives the temporary
 * file its name, with the permissions of the file that it replaces. Without done, removes the
 * temporary file and returns false. Returns false with errno set on failure, EEXIST if the file was
 * to be fresh and the path exists; an existing file is then unchanged. */
bool atomic_write_close(struct atomic_write *file, bool done);

#endif
