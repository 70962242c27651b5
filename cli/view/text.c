/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing text, and cells of a fixed width. */
#define _POSIX_C_SOURCE 200809L

#include <view/text.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <symbol/layout.h>

/* Of the memory for so many bytes; texts grow by single characters. */
static size_t room_for(size_t len)
{
    size_t room = 32;

    while (room < len)
        room *= 2;
    return room;
}

void text_add(struct text *text, const char *bytes, size_t len)
{
    size_t room = room_for(text->len + len + 1);

    if (text->failed)
        return;
    if (!text->bytes || room != room_for(text->len + 1)) {
        char *grown = realloc(text->bytes, room);
        if (!grown) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
    }
    memcpy(text->bytes + text->len, bytes, len);
    text->len += len;
    text->bytes[text->len] = '\0';
}

void text_printf(struct text *text, const char *format, ...)
{
    char buffer[512];
    va_list args;

    va_start(args, format);
    int len = vsnprintf(buffer, sizeof(buffer), format, args);
    va_end(args);
    if (len < 0)
        text->failed = true;
    else
        text_add(text, buffer, (size_t)len < sizeof(buffer) ? (size_t)len : sizeof(buffer) - 1);
}

size_t text_char_len(const char *s)
{
    unsigned char c = (unsigned char)s[0];
    size_t len = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;

    /* Too long for what it means, a half of a pair of UTF-16, beyond Unicode. */
    unsigned char low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    unsigned char high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;

    if (c >= 0xf5 || (len > 1 && ((unsigned char)s[1] < low || (unsigned char)s[1] > high)))
        return 1;
    for (size_t i = 1; i < len; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 1;
    }
    return len;
}

const char *text_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

size_t text_cells(const char *s)
{
    size_t count = 0;

    for (; *s; s += text_char_len(s))
        count++;
    return count;
}

static void add_spaces(struct text *text, size_t count)
{
    for (; count > 0; count--)
        text_add(text, " ", 1);
}

bool text_is_unsafe(const char *s, size_t len)
{
    unsigned char c = (unsigned char)s[0];

    uint32_t code = len == 1 ? c : c & (0xff >> (len + 1));

    if (len == 1 && c >= 0x80) /* no UTF-8 */
        return true;
    for (size_t i = 1; i < len; i++)
        code = code << 6 | ((unsigned char)s[i] & 0x3f);
    return layout_is_control(code) || layout_is_hidden(code);
}

void text_cell(struct text *text, const char *from, unsigned width, bool right, bool pad)
{
    size_t chars = text_cells(from);
    size_t shown = chars <= width ? chars : width;

    if (right && pad)
        add_spaces(text, width - shown);
    for (size_t i = 0; i < shown; i++) {
        size_t len = text_char_len(from);
        if (chars > width && i + 1 == shown)
            text_add(text, "~", 1);
        else if (text_is_unsafe(from, len))
            text_add(text, "?", 1);
        else
            text_add(text, from, len);
        from += len;
    }
    if (!right && pad)
        add_spaces(text, width - shown);
}

void text_escape(struct text *text, const char *from, const char *special, const char *before)
{
    while (*from) {
        size_t len = text_char_len(from);
        bool unsafe = text_is_unsafe(from, len);
        if (!unsafe && len == 1 && strchr(special, *from))
            text_add(text, before, strlen(before));
        text_add(text, unsafe ? "?" : from, unsafe ? 1 : len);
        from += len;
    }
}

/* 2.5 to 2.7; blanks at an end too, which some readers drop otherwise. */
void text_csv(struct text *text, const char *from)
{
    size_t len = strlen(from);
    bool quoted = strpbrk(from, ",\"") || (len && (from[0] == ' ' || from[len - 1] == ' '));

    if (quoted)
        text_add(text, "\"", 1);
    text_escape(text, from, "\"", "\"");
    if (quoted)
        text_add(text, "\"", 1);
}

/* What sites make a mention or a link of is looked for when backslashes are gone; a comment in the
 * middle, which is not shown, keeps it apart. Where behind from it belongs, 0: nowhere. */
static size_t find_link(const char *from)
{
    if ((from[0] == '@' || from[0] == '#') && isalnum((unsigned char)from[1]))
        return 1;
    if (strncmp(from, "://", 3) == 0)
        return 1;
    return strncasecmp(from, "www.", 4) == 0 ? 3 : 0;
}

void text_markdown(struct text *text, const char *from)
{
    while (*from) {
        size_t len = 1;
        size_t apart = find_link(from);
        while (from[len] && !apart && !find_link(from + len))
            len++;
        char *part = strndup(from, apart ? apart : len);
        if (!part) {
            text->failed = true;
            return;
        }
        text_escape(text, part, TEXT_MARKDOWN, "\\");
        if (apart)
            text_add(text, "<!-- -->", 8);
        from += strlen(part);
        free(part);
    }
}
