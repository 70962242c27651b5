/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of text over a socket: the framing of QMP, of qtest and of the rig's own control. */
#ifndef RIG_LINE_H
#define RIG_LINE_H

#include <stddef.h>

#define LINE_MAX_LEN 16384

struct line {
    int fd;
    size_t used;  /* bytes in the buffer */
    size_t taken; /* of them: the line that was given last */
    char buffer[LINE_MAX_LEN];
};

void line_init(struct line *line, int fd);

/* Sends text as it is. 0, or -1 when the socket is closed or does not take it. */
int line_send(struct line *line, const char *text, size_t len);

/*
 * The next line without its end, NUL-terminated, valid until the next call. 1: *text is set; 0:
 * none came within timeout_ms (0: do not wait); -1: closed, or a line that is too long.
 */
int line_take(struct line *line, char **text, int timeout_ms);

#endif
