/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells whether a path still names the same, unchanged file. */
#ifndef BASE_FILE_STAMP_H
#define BASE_FILE_STAMP_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct stat;

/* Identifies a file and its last change by what stat() gives. */
struct file_stamp {
    dev_t device;
    ino_t inode;
    off_t size;              /* bytes; -1: there is no file */
    struct timespec changed; /* time of the last write */
};

/* Makes a stamp from the result of stat(). */
struct file_stamp file_stamp_of(const struct stat *about);

/* Returns the stamp of the file at path. If stat() fails, size is -1 and all else is 0. */
struct file_stamp file_stamp_at(const char *path);

/* Whether two stamps are of the same file, and it was not written between them. A write that keeps
 * the size and the time of the last write is not seen. Two missing files are the same. */
bool file_stamp_same(const struct file_stamp *a, const struct file_stamp *b);

#endif
