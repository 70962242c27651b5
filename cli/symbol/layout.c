/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells which characters are safe to show, and writes cells of comma-separated values with them. */
#include <symbol/layout.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct layout_char layout_next(const char *text)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    size_t len = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    uint32_t code = at[0] & (len == 1 ? 0x7f : 0xff >> (len + 1));

    for (size_t i = 1; i < len; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return (struct layout_char){.code = LAYOUT_WRONG, .len = 1};
        code = code << 6 | (at[i] & 0x3f);
    }
    if (len == 0 || code < lowest[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return (struct layout_char){.code = LAYOUT_WRONG, .len = 1};
    return (struct layout_char){.code = code, .len = len};
}

/* Unicode's Default_Ignorable_Code_Point, and the separators and format characters beside those
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

bool layout_is_hidden(uint32_t code)
{
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]) && code >= hidden[i].first; i++) {
        if (code <= hidden[i].last)
            return true;
    }
    return false;
}

const char *layout_shown(uint32_t code, char buffer[LAYOUT_SHOWN_MAX])
{
    if (code == LAYOUT_WRONG || layout_is_control(code))
        return "?";
    if (!layout_is_hidden(code))
        return NULL;
    snprintf(buffer, LAYOUT_SHOWN_MAX, "<U+%04X>", (unsigned)code);
    return buffer;
}

static size_t digits_of(const char *text)
{
    size_t count = 0;

    while (isdigit((unsigned char)text[count]))
        count++;
    return count;
}

/* -0.5, +3, 1e-9, 12.5%: no spreadsheet can do anything with it but show it. */
static bool is_number(const char *text)
{
    const char *at = text + (text[0] == '+' || text[0] == '-');
    size_t digits = digits_of(at);

    at += digits;
    if (*at == '.') {
        size_t more = digits_of(at + 1);
        digits += more;
        at += 1 + more;
    }
    if (digits != 0 && (*at == 'e' || *at == 'E')) {
        at += 1 + (at[1] == '+' || at[1] == '-');
        digits = digits_of(at);
        at += digits;
    }
    return digits != 0 && (*at == '\0' || strcmp(at, "%") == 0);
}

bool layout_begins_formula(const char *text)
{
    switch (text[0] ? layout_next(text).code : 0) {
    case '=':
    case '+':
    case '-':
    case '@':
    case '\t':
    case '\r':
    case 0xff1d: /* = */
    case 0xff0b: /* + */
    case 0xff0d: /* - */
    case 0xff20: /* @ */
        return true;
    default:
        return false;
    }
}

/* 2.5 to 2.7; blanks at an end too, which some readers drop otherwise, and what separates cells in
 * other countries. */
static bool needs_quotes(const char *text)
{
    size_t len = strlen(text);

    return strpbrk(text, ",;\"") || (len && (text[0] == ' ' || text[len - 1] == ' '));
}

void layout_csv(const struct layout_sink *sink, const char *text)
{
    bool formula = layout_begins_formula(text) && !is_number(text),
         quoted = formula || needs_quotes(text);
    char buffer[LAYOUT_SHOWN_MAX];

    if (quoted)
        sink->put(sink->context, formula ? "\"'" : "\"", formula ? 2 : 1);
    for (struct layout_char c; *text; text += c.len) {
        c = layout_next(text);
        const char *shown = c.code == '"' ? "\"\"" : layout_shown(c.code, buffer);
        sink->put(sink->context, shown ? shown : text, shown ? strlen(shown) : c.len);
    }
    if (quoted)
        sink->put(sink->context, "\"", 1);
}
