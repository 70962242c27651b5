/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all objects of --format json are made of. */
#include "json_parts.h"

#include <view/log.h>

/* Significant digits of a fraction: shares of 10^9 hits can be told apart. */
#define DIGITS 9

json_t *json_text(const char *text)
{
    if (!text || !text[0])
        return json_null();
    json_t *string = json_string(text);
    return string ? string : json_string("(not UTF-8)");
}

json_t *json_time(int64_t time_ns)
{
    char text[48];

    view_time(time_ns, true, text, sizeof(text));
    return json_text(text);
}

char *json_line(json_t *object)
{
    char *line = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;

    json_decref(object);
    return line;
}
