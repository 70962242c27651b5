/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files that are written whole or not at all. */
#ifndef COMMAND_WHOLE_H
#define COMMAND_WHOLE_H

#include <stdbool.h>

/*
 * Replaces the file at path (a link stays one) when all of the text is on the disk; what is no
 * file, like a pipe, is written into. NULL: stdout. A status; what went wrong is said, and what
 * stood there is then as before.
 */
int whole_write(const char *path, const char *text);

/* Whether two paths lead to one file that there is, or to one name in one folder. a may be NULL:
 * stdout. What is no file, like /dev/null, is never the same. */
bool whole_is_same(const char *a, const char *b);

#endif
