/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are written whole or not at all. */
#ifndef BASE_ATOMIC_WRITE_H
#define BASE_ATOMIC_WRITE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* A file in the making. */
struct atomic_write {
    FILE *out;
    char path[PATH_MAX]; /* what is to be replaced, through links; "": it is written into */
    char name[PATH_MAX]; /* of the temporary file beside it */
    bool fresh;          /* there may be none of its name */
};

/* Begins a new file, which stands beside the one at path until it is done; what is no file, like a
 * pipe or /dev/stdout, is written into. fresh: nothing is replaced or written into. false: errno
 * says why. Else to be ended by atomic_write_close(). */
bool atomic_write_open(struct atomic_write *file, const char *path, bool fresh)
    __attribute__((warn_unused_result));

/* Whether atomic_write_open() would put another file in the place of path, and not write into it.
 */
bool atomic_write_replaces(const char *path);

/* Whether a file stands at path that atomic_write_open() would replace. */
bool atomic_write_stands(const char *path);

/* Whether atomic_write_open() would begin a file at path; what is no file is not tried. false:
 * errno says why not. */
bool atomic_write_check(const char *path) __attribute__((warn_unused_result));

/* done: the file gets its name when it is on the disk; otherwise it is removed. false: it was not
 * done, or errno says why it could not be written; what stood there is as before. EEXIST:
 * it was to be fresh, and somebody has that name. */
bool atomic_write_close(struct atomic_write *file, bool done);

#endif
