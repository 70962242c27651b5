/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a path still leads to the same file. */
#ifndef BASE_FILE_STAMP_H
#define BASE_FILE_STAMP_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct stat;

/* Which file it is and when it was written to, as far as that can be told without reading it. */
struct file_stamp {
    dev_t device;
    ino_t inode;
    off_t size; /* -1: there is no file */
    struct timespec changed;
};

/* The stamp of what stat() tells of a file. */
struct file_stamp file_stamp_of(const struct stat *about);

/* The stamp of the file at path. If there is none, size is -1 and the rest 0. */
struct file_stamp file_stamp_at(const char *path);

/* Whether both are of one file, which was not written to in between. */
bool file_stamp_same(const struct file_stamp *a, const struct file_stamp *b);

#endif
