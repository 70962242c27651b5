/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes text to a file or to stdout, and reports failure. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>

#include <base/output_size.h>

/*
 * Writes a text to the file at path, or to stdout if path is NULL. A file is replaced only after
 * all of the text is on the disk; a symbolic link stays one. A pipe or a device is written to
 * directly. Returns STATUS_DONE. On failure prints a message and returns STATUS_FAILED; an existing
 * file is unchanged.
 */
int output_write(const char *path, const char *text);

/* Whether two paths are the same existing file, or the same new name in the same folder. a may be
 * NULL for stdout. Pipes and devices, like /dev/null, are never the same. */
bool output_is_same(const char *a, const char *b);

/* Reports that the output to path (NULL: stdout) could not be written; why is the reason, or NULL.
 * Prints nothing if the reader of stdout has closed it: then main() ends by SIGPIPE after its
 * clean-up, as other tools do. Returns STATUS_FAILED. */
int output_failed(const char *path, const char *why);

/* Whether output_failed() found that the reader of stdout has closed it. */
bool output_is_left(void);

#endif
