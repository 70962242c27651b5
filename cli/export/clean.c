/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from anywhere as text that a format, and a terminal, can bear. */
#include "clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <symbol/layout.h>

#define WRONG       UINT32_MAX
#define REPLACEMENT "\xef\xbf\xbd"

/* One character of at most four bytes. */
struct letter {
    uint32_t code; /* WRONG: a byte that is no UTF-8 */
    size_t len;
};

static struct letter next(const char *text)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    size_t len = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    uint32_t code = at[0] & (len == 1 ? 0x7f : 0xff >> (len + 1));

    for (size_t i = 1; i < len; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return (struct letter){.code = WRONG, .len = 1};
        code = code << 6 | (at[i] & 0x3f);
    }
    if (len == 0 || code < lowest[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return (struct letter){.code = WRONG, .len = 1};
    return (struct letter){.code = code, .len = len};
}

static bool is_one_of(uint32_t code, const char *set)
{
    return code < 0x80 && strchr(set, (int)code);
}

static void put(FILE *out, const char *text, size_t len)
{
    fwrite(text, 1, len, out);
}

void clean_line(FILE *out, const char *text, const char *forbidden)
{
    while (*text) {
        struct letter l = next(text);
        if (l.code == WRONG || layout_is_control(l.code) || layout_is_hidden(l.code) ||
            is_one_of(l.code, forbidden))
            putc('?', out);
        else
            put(out, text, l.len);
        text += l.len;
    }
}

void clean_json(FILE *out, const char *text)
{
    if (!text[0]) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    while (*text) {
        struct letter l = next(text);
        if (l.code == WRONG)
            fputs(REPLACEMENT, out);
        else if (layout_is_control(l.code) || layout_is_hidden(l.code) ||
                 is_one_of(l.code, "\"\\<>&"))
            fprintf(out, "\\u%04x", (unsigned)l.code);
        else
            put(out, text, l.len);
        text += l.len;
    }
    putc('"', out);
}

void clean_html(FILE *out, const char *text)
{
    while (*text) {
        struct letter l = next(text);
        if (l.code == WRONG || layout_is_control(l.code) || layout_is_hidden(l.code))
            fputs(REPLACEMENT, out);
        else if (is_one_of(l.code, "\"'<>&"))
            fprintf(out, "&#%u;", (unsigned)l.code);
        else
            put(out, text, l.len);
        text += l.len;
    }
}

void clean_csv(FILE *out, const char *text)
{
    size_t len = strlen(text);
    bool quoted = strpbrk(text, ",\"") || (len && (text[0] == ' ' || text[len - 1] == ' '));

    if (quoted)
        putc('"', out);
    while (*text) {
        struct letter l = next(text);
        if (l.code == WRONG || layout_is_control(l.code) || layout_is_hidden(l.code))
            putc('?', out);
        else if (l.code == '"')
            fputs("\"\"", out);
        else
            put(out, text, l.len);
        text += l.len;
    }
    if (quoted)
        putc('"', out);
}

const char *clean_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}
