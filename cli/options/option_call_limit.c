/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NAME=LIMIT@WHAT, where LIMIT is a time, a number of calls, or +N%. */
#include "option_call_limit.h"

#include <stdio.h>
#include <string.h>

#include <base/number.h>

static const struct {
    const char *word;
    enum view_call_value value;
} words[] = {{"max", CALL_VALUE_MAX},    {"median", CALL_VALUE_MEDIAN}, {"99%", CALL_VALUE_P99},
             {"avg", CALL_VALUE_AVG},    {"total", CALL_VALUE_TOTAL},   {"self", CALL_VALUE_SELF},
             {"calls", CALL_VALUE_CALLS}};

/* C++ names have no '@', but '=' as in operator==. */
bool option_is_call_limit(const char *value)
{
    return strchr(value, '@') != NULL;
}

static bool refuse(char *text, const char *value, const char *why)
{
    snprintf(text, OPTION_TEXT, "'%.100s' %s", value, why);
    return false;
}

static bool take_word(const char *word, enum view_call_value *value)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(word, words[i].word) == 0) {
            *value = words[i].value;
            return true;
        }
    }
    return false;
}

/* A number and one of its units, up to end. */
static bool take_limit(const char *at, const char *end, struct call_limit *limit)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"", 1}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"%", 0.01}};
    bool relative = *at == '+';
    size_t len;

    at += relative;
    if (!number_take_decimal(&at, &limit->limit) || at > end)
        return false;
    len = (size_t)(end - at);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        bool percent = units[i].unit[0] == '%', bare = units[i].unit[0] == '\0';
        if (strlen(units[i].unit) != len || strncmp(at, units[i].unit, len) != 0)
            continue;
        limit->limit *= units[i].scale;
        limit->relative = relative;
        /* A sign has a percentage, and nothing else has one. */
        return relative == percent && (relative || bare == (limit->value == CALL_VALUE_CALLS));
    }
    return false;
}

bool option_add_call_limit(struct options *options, const char *value, char *text)
{
    const char *at = strrchr(value, '@'), *equals = at;
    struct call_limit limit = {.text = value};

    while (equals > value && *equals != '=')
        equals--;
    if (*equals != '=' || equals == value)
        return refuse(text, value, "names no function: give a limit like 'f=120us@max'");
    if (!take_word(at + 1, &limit.value))
        return refuse(text, value,
                      "ends in an unknown word: give @max, @median, @99%, @avg, @total, @self or "
                      "@calls");
    if (!take_limit(equals + 1, at, &limit))
        return refuse(text, value,
                      "has no limit: give a time like 120us, a change like +10%, or a number for "
                      "@calls");
    if (options->call_limit_count == OPTION_THRESHOLDS)
        return refuse(text, value, "is one too many: 64 limits at most");
    limit.glob = value;
    limit.glob_len = (size_t)(equals - value);
    options->call_limits[options->call_limit_count++] = limit;
    return true;
}
