/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts text to cells, where characters may be wide, or have no width. */
#define _XOPEN_SOURCE 700

#include "cells.h"

#include <wchar.h>

/* What turns the direction of writing around it, or is not there at all: text could look like other
 * text. */
static bool deceives(wchar_t c)
{
    return (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

/* Cells of the character of len bytes at s; -1: it is not to be shown. */
static int cells_of(const char *s, size_t len)
{
    mbstate_t state = {0};
    wchar_t c;

    if (text_is_unsafe(s, len))
        return -1;
    if (len == 1 || mbrtowc(&c, s, len, &state) != len)
        return 1;
    return deceives(c) ? -1 : wcwidth(c);
}

unsigned cells_width(const char *s)
{
    unsigned width = 0;

    for (; *s; s += text_char_len(s)) {
        int cells = cells_of(s, text_char_len(s));
        width += cells < 0 ? 1 : (unsigned)cells;
    }
    return width;
}

void cells_add(struct text *text, const char *from, unsigned width, bool pad)
{
    unsigned whole = cells_width(from), used = 0;
    unsigned room = whole <= width ? width : width ? width - 1 : 0;

    while (*from) {
        size_t len = text_char_len(from);
        int cells = cells_of(from, len);
        unsigned take = cells < 0 ? 1 : (unsigned)cells;
        if (used + take > room)
            break;
        text_add(text, cells < 0 ? "?" : from, cells < 0 ? 1 : len);
        used += take;
        from += len;
    }
    if (whole > width && width) {
        text_add(text, "~", 1);
        used++;
    }
    for (; pad && used < width; used++)
        text_add(text, " ", 1);
}
