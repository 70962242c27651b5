/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotes cells of comma-separated values. */
#include <base/csv_cell.h>

#include <ctype.h>
#include <string.h>

#include <base/utf8.h>

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

bool csv_begins_formula(const char *text)
{
    switch (text[0] ? utf8_next(text).code : 0) {
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

void csv_cell(const struct csv_sink *sink, const char *text)
{
    bool formula = csv_begins_formula(text) && !is_number(text),
         quoted = formula || needs_quotes(text);
    char buffer[UTF8_SHOWN_MAX];

    if (quoted)
        sink->put(sink->context, formula ? "\"'" : "\"", formula ? 2 : 1);
    for (struct utf8_char c; *text; text += c.len) {
        c = utf8_next(text);
        const char *shown = c.code == '"' ? "\"\"" : utf8_shown(c.code, buffer);
        sink->put(sink->context, shown ? shown : text, shown ? strlen(shown) : c.len);
    }
    if (quoted)
        sink->put(sink->context, "\"", 1);
}
