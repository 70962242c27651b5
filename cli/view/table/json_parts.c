/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all objects of --format json are made of. */
#include <table/json_parts.h>

#include <stdlib.h>

#include <base/text.h>
#include <base/utf8.h>
#include <table/log.h>
#include <table/time.h>

/* Significant digits of a fraction: shares of 10^9 hits can be told apart. */
#define DIGITS 9

json_t *json_text(const char *text)
{
    if (!text || !text[0])
        return json_null();
    json_t *string = json_string(text);
    if (!string) { /* it is no UTF-8 */
        struct text clean = {.bytes = NULL};
        text_escape(&clean, text, "", "");
        string = clean.failed ? NULL : json_string(clean.bytes);
        free(clean.bytes);
    }
    return string;
}

/* JSON lets DEL, the control characters of C1 and hidden ones stand as they are. Terminals obey the
 * first two; an escape of JSON's own would hide the last one from a person who reads the string. */
static void add_char(struct text *text, const char *s)
{
    struct utf8_char c = utf8_next(s);
    char buffer[UTF8_SHOWN_MAX];

    if (utf8_is_hidden(c.code))
        text_printf(text, "%s", utf8_shown(c.code, buffer));
    else if (utf8_is_control(c.code))
        text_printf(text, "\\u%04x", (unsigned)c.code);
    else
        text_add(text, s, c.len);
}

char *json_print(const json_t *object, size_t flags)
{
    char *line = object ? json_dumps(object, flags | JSON_REAL_PRECISION(DIGITS)) : NULL;
    struct text safe = {.bytes = NULL};
    const char *from = line, *s = line;

    for (; s && *s; s += utf8_next(s).len) {
        if ((unsigned char)*s < 0x7f)
            continue;
        text_add(&safe, from, (size_t)(s - from));
        add_char(&safe, s);
        from = s + utf8_next(s).len;
    }
    if (!line || !safe.bytes)
        return line;
    text_add(&safe, from, (size_t)(s - from));
    free(line);
    if (!safe.failed)
        return safe.bytes;
    free(safe.bytes);
    return NULL;
}

json_t *json_time(int64_t time_ns)
{
    char text[48];

    view_time(time_ns, true, text, sizeof(text));
    return json_text(text);
}

char *json_line(json_t *object)
{
    char *line = json_print(object, JSON_COMPACT);

    json_decref(object);
    return line;
}
