/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with their intervals. */
#include <table/interval.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <table/column.h>

#define NUMBER_MAX 40

const char *view_plus_minus(bool utf8)
{
    return utf8 ? "\u00b1" : "+/-";
}

static void show_number(const struct view_interval *i, double number, char text[NUMBER_MAX])
{
    if (i->is_signed)
        view_show_signed(number, i->decimals, text, NUMBER_MAX);
    else
        snprintf(text, NUMBER_MAX, "%.*f", i->decimals, number);
}

/* Compared as they are read, not as they are: 0.79 and 0.81 are both 0.8. */
static bool is_symmetric(const struct view_interval *i, char side[NUMBER_MAX])
{
    char below[NUMBER_MAX];

    snprintf(below, sizeof(below), "%.*f", i->decimals, i->value - i->low);
    snprintf(side, NUMBER_MAX, "%.*f", i->decimals, i->high - i->value);
    return isfinite(i->value) && isfinite(i->low) && isfinite(i->high) && strcmp(below, side) == 0;
}

void view_show_ends(const struct view_interval *interval, bool utf8, char *text, size_t capacity)
{
    char low[NUMBER_MAX], high[NUMBER_MAX], side[NUMBER_MAX];

    text[0] = '\0';
    if (isnan(interval->low) || isnan(interval->high))
        return;
    if (is_symmetric(interval, side)) {
        snprintf(text, capacity, "%s %s", view_plus_minus(utf8), side);
        return;
    }
    show_number(interval, interval->low, low);
    show_number(interval, interval->high, high);
    snprintf(text, capacity, "[%s, %s]", low, high);
}

void view_show_interval(const struct view_interval *interval, bool utf8, char *text,
                        size_t capacity)
{
    char value[NUMBER_MAX], ends[3 * NUMBER_MAX];

    if (isnan(interval->value)) {
        snprintf(text, capacity, "-");
        return;
    }
    show_number(interval, interval->value, value);
    view_show_ends(interval, utf8, ends, sizeof(ends));
    snprintf(text, capacity, "%s%s%s%s", value, interval->unit ? interval->unit : "",
             ends[0] ? " " : "", ends);
}

void view_cut_interval(char *text)
{
    static const char *const begins[] = {" [", " +/-", " \u00b1"};

    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
        char *end = strstr(text, begins[i]);
        if (end)
            *end = '\0';
    }
}
