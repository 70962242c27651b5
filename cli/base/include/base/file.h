/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are read. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Bytes of the longest reason that file_open() gives, with its NUL. */
#define FILE_WHY_MAX 160

/*
 * Opens a regular file to read it. A pipe may wait for ever for somebody who writes, and a device
 * may never end: they are refused, and never waited for.
 *
 * Returns its descriptor, which the caller closes, and sets *about. Returns -1 if it cannot be
 * opened or is none; then why says so, a folder is "this is a folder, not KIND".
 */
int file_open(const char *path, const char *kind, struct stat *about, char why[FILE_WHY_MAX])
    __attribute__((warn_unused_result));

/* Reads len bytes, and fewer only if the file ends before. *have says how many are there. Returns
 * false if reading fails; errno says why. */
bool file_read(int fd, void *bytes, size_t len, size_t *have) __attribute__((warn_unused_result));

#endif
