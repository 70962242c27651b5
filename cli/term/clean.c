/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8 from anywhere to characters that a terminal may be given. */
#include <wchar.h>

#include <base/utf8.h>

#include "term_private.h"

int clean_next(const char **text, bool utf8, wchar_t *out)
{
    if (**text == '\0')
        return -1;
    if (**text >= 0x20 && **text < 0x7f) { /* nearly all of them */
        *out = (wchar_t) * *text;
        ++*text;
        return 1;
    }
    struct utf8_char c = utf8_next(*text);
    *text += c.len;
    *out = L'?';
    if (c.code == UTF8_WRONG || utf8_is_control(c.code) || !utf8)
        return 1;
    int width = wcwidth((wchar_t)c.code);
    if (width >= 0)
        *out = (wchar_t)c.code;
    return width < 0 ? 1 : width;
}
