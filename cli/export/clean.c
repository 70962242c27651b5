/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from anywhere as text that a format, and a terminal, can bear. */
#include <export/clean.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <base/csv_cell.h>
#include <base/utf8.h>

#define REPLACEMENT "\xef\xbf\xbd"

static bool is_one_of(uint32_t code, const char *set)
{
    return code < 0x80 && strchr(set, (int)code);
}

static void write_bytes(FILE *out, const char *text, size_t len)
{
    fwrite(text, 1, len, out);
}

void clean_line(FILE *out, const char *text, const char *forbidden)
{
    char buffer[UTF8_SHOWN_MAX];

    for (struct utf8_char c; *text; text += c.len) {
        c = utf8_next(text);
        const char *shown = is_one_of(c.code, forbidden) ? "?" : utf8_shown(c.code, buffer);
        write_bytes(out, shown ? shown : text, shown ? strlen(shown) : c.len);
    }
}

/* A character of a JSON string as its own escape. */
static void put_escapes(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (is_one_of((unsigned char)*text, "<>"))
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            putc(*text, out);
    }
}

void clean_json(FILE *out, const char *text)
{
    char buffer[UTF8_SHOWN_MAX];

    if (!text[0]) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    for (struct utf8_char c; *text; text += c.len) {
        c = utf8_next(text);
        if (c.code == UTF8_WRONG)
            fputs(REPLACEMENT, out);
        else if (utf8_is_control(c.code) || is_one_of(c.code, "\"\\<>&"))
            fprintf(out, "\\u%04x", (unsigned)c.code);
        else if (utf8_is_hidden(c.code))
            put_escapes(out, utf8_shown(c.code, buffer));
        else
            write_bytes(out, text, c.len);
    }
    putc('"', out);
}

void clean_html(FILE *out, const char *text)
{
    char buffer[UTF8_SHOWN_MAX];

    for (struct utf8_char c; *text; text += c.len) {
        c = utf8_next(text);
        if (c.code == UTF8_WRONG || utf8_is_control(c.code))
            fputs(REPLACEMENT, out);
        else if (utf8_is_hidden(c.code))
            clean_html(out, utf8_shown(c.code, buffer));
        else if (is_one_of(c.code, "\"'<>&"))
            fprintf(out, "&#%u;", (unsigned)c.code);
        else
            write_bytes(out, text, c.len);
    }
}

static void put_cell(void *context, const char *bytes, size_t len)
{
    write_bytes(context, bytes, len);
}

void clean_csv(FILE *out, const char *text)
{
    const struct csv_sink sink = {.context = out, .put = put_cell};

    csv_cell(&sink, text);
}
