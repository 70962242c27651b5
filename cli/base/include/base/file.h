/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and reads regular files. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Largest size of the text why of file_open(), bytes with the NUL. */
#define FILE_WHY_MAX 400

/*
 * Opens a regular file to read it. Refuses pipes and devices without waiting for them, because
 * opening a pipe may wait forever and reading a device may never end. kind is for the message about
 * a folder: "this is a folder, not KIND".
 *
 * Returns a descriptor, which the caller closes, and sets *about as fstat() does. On failure
 * returns -1 and writes the reason to why, without the path, unless why is NULL. If there is no
 * such file, the reason ends with the most similar name in the folder, if one is similar.
 */
int file_open(const char *path, const char *kind, struct stat *about, char why[FILE_WHY_MAX])
    __attribute__((warn_unused_result));

/* Reads len bytes, or fewer at the end of the file. Sets *have to the number of bytes read, on
 * failure too. Returns false with errno set if reading fails. */
bool file_read(int fd, void *bytes, size_t len, size_t *have) __attribute__((warn_unused_result));

#endif
