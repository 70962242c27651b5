/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with two digits that count, and their unit. */
#include "words.h"

#include <stdio.h>

static const char *words(double value, const char *unit, char text[WORDS_MAX])
{
    if (value < 0.95)
        snprintf(text, WORDS_MAX, "%.2g%s", value, unit);
    else
        snprintf(text, WORDS_MAX, "%.*f%s", value < 9.5 ? 1 : 0, value, unit);
    return text;
}

const char *words_time(double seconds, char text[WORDS_MAX])
{
    return seconds < 0.95 ? words(seconds * 1e3, " ms", text) : words(seconds, " s", text);
}

const char *words_bytes(double bytes, char text[WORDS_MAX])
{
    if (bytes < 950)
        return words(bytes, " bytes", text);
    return bytes < 950e3 ? words(bytes * 1e-3, " kB", text) : words(bytes * 1e-6, " MB", text);
}

const char *words_rate(double rate, char text[WORDS_MAX])
{
    return words(rate, "", text);
}
