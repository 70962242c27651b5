/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects lines in memory of a fixed size. */
#include "line_buffer.h"

#include <errno.h>
#include <string.h>

void line_buffer_write(struct line_buffer *buffer)
{
    struct line_buffer *b = buffer;

    if (b->error == 0 && fwrite(b->bytes, 1, b->used, b->file) != b->used)
        b->error = errno ? errno : EIO;
    b->used = 0;
}

void line_buffer_add(struct line_buffer *buffer, const char *bytes, size_t len)
{
    struct line_buffer *b = buffer;

    while (len != 0) {
        size_t room = LINE_BUFFER_SIZE - b->used, part = len < room ? len : room;
        memcpy(b->bytes + b->used, bytes, part);
        b->used += part;
        bytes += part;
        len -= part;
        if (b->used == LINE_BUFFER_SIZE)
            line_buffer_write(b);
    }
}

void line_buffer_text(struct line_buffer *buffer, const char *text)
{
    line_buffer_add(buffer, text, strlen(text));
}
