/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8 from anywhere to characters that a terminal may be given. */
#include <stdint.h>
#include <wchar.h>

#include "term_private.h"

#define WRONG UINT32_MAX

static uint32_t decode_tail(const unsigned char **at, uint32_t code, int more, uint32_t lowest)
{
    while (more-- > 0) {
        if ((**at & 0xc0) != 0x80)
            return WRONG;
        code = code << 6 | (*(*at)++ & 0x3f);
    }
    if (code < lowest || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return WRONG;
    return code;
}

/* One character; a byte that cannot begin one, or a broken tail, is one wrong character. */
static uint32_t decode(const unsigned char **at)
{
    uint32_t first = *(*at)++;

    if (first < 0x80)
        return first;
    if (first >= 0xc2 && first <= 0xdf)
        return decode_tail(at, first & 0x1f, 1, 0x80);
    if (first >= 0xe0 && first <= 0xef)
        return decode_tail(at, first & 0x0f, 2, 0x800);
    if (first >= 0xf0 && first <= 0xf4)
        return decode_tail(at, first & 0x07, 3, 0x10000);
    return WRONG;
}

int clean_next(const char **text, bool utf8, wchar_t *out)
{
    const unsigned char *at = (const unsigned char *)*text;

    if (*at == '\0')
        return -1;
    if (*at >= 0x20 && *at < 0x7f) { /* nearly all of them */
        *out = (wchar_t)*at;
        ++*text;
        return 1;
    }
    uint32_t code = decode(&at);
    *text = (const char *)at;
    *out = L'?';
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == WRONG || (code > 0x7f && !utf8))
        return 1;
    int width = wcwidth((wchar_t)code);
    if (width >= 0)
        *out = (wchar_t)code;
    return width < 0 ? 1 : width;
}
