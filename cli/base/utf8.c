/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes UTF-8, and tells which characters are safe to show. */
#include <base/utf8.h>

#include <stdio.h>

struct utf8_char utf8_next(const char *text)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    size_t len = at[0] < 0x80   ? 1
                 : at[0] < 0xc2 ? 0
                 : at[0] < 0xe0 ? 2
                 : at[0] < 0xf0 ? 3
                 : at[0] < 0xf5 ? 4
                                : 0;
    uint32_t code = at[0] & (len == 1 ? 0x7f : 0xff >> (len + 1));

    for (size_t i = 1; i < len; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return (struct utf8_char){.code = UTF8_WRONG, .len = 1};
        code = code << 6 | (at[i] & 0x3f);
    }
    if (len == 0 || code < lowest[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return (struct utf8_char){.code = UTF8_WRONG, .len = 1};
    return (struct utf8_char){.code = code, .len = len};
}

/* Unicode's Default_Ignorable_Code_Point, and the separators and format characters next to those
 * that draw nothing: in order. */
static const struct {
    uint32_t first, last;
} hidden[] = {
    {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},     {0x115f, 0x1160},
    {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

bool utf8_is_hidden(uint32_t code)
{
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]) && code >= hidden[i].first; i++) {
        if (code <= hidden[i].last)
            return true;
    }
    return false;
}

const char *utf8_shown(uint32_t code, char buffer[UTF8_SHOWN_MAX])
{
    if (code == UTF8_WRONG || utf8_is_control(code))
        return "?";
    if (!utf8_is_hidden(code))
        return NULL;
    snprintf(buffer, UTF8_SHOWN_MAX, "<U+%04X>", (unsigned)code);
    return buffer;
}
