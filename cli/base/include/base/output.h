/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes to a file or to stdout, and is whole there or is complained of. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>

/*
 * Replaces the file at path (a link stays one) when all of the text is on the disk; what is no
 * file, like a pipe, is written into. NULL: stdout. A status; what went wrong is said, and what
 * stood there is then as before.
 */
int output_write(const char *path, const char *text);

/* Whether two paths lead to one file that there is, or to one name in one folder. a may be NULL:
 * stdout. What is no file, like /dev/null, is never the same. */
bool output_is_same(const char *a, const char *b);

/* The output to path, NULL: stdout, could not be written; why: NULL: that is not known. Says so,
 * unless nobody reads stdout any more: then main() dies of SIGPIPE, as other tools do, when
 * all is cleaned up. STATUS_FAILED, to be returned. */
int output_failed(const char *path, const char *why);

/* Cells of a line of the terminal at fd; 0: it is no terminal, or does not say. */
unsigned output_width(int fd);

/* Whether nobody reads stdout any more. */
bool output_is_left(void);

#endif
