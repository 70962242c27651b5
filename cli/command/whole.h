/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files that are written whole or not at all. */
#ifndef COMMAND_WHOLE_H
#define COMMAND_WHOLE_H

/*
 * Replaces the file at path (a link stays one) when all of the text is on the disk; what is no
 * file, like a pipe, is written into. NULL: stdout. A status; what went wrong is said, and what
 * stood there is then as before.
 */
int whole_write(const char *path, const char *text);

#endif
