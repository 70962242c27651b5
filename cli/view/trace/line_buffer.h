/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects lines, and writes many of them at once. */
#ifndef TRACE_VIEW_LINE_BUFFER_H
#define TRACE_VIEW_LINE_BUFFER_H

#include <stddef.h>
#include <stdio.h>

/* Bytes that are written at once. */
#define LINE_BUFFER_SIZE 65536

/* The buffer. The caller sets file; all else is 0 at first. */
struct line_buffer {
    FILE *file;
    int error; /* errno of the first failure; then nothing more is written */
    size_t used;
    char bytes[LINE_BUFFER_SIZE];
};

/* Add bytes or a string. */
void line_buffer_add(struct line_buffer *buffer, const char *bytes, size_t len);
void line_buffer_text(struct line_buffer *buffer, const char *text);

/* Writes what the buffer has. */
void line_buffer_write(struct line_buffer *buffer);

#endif
