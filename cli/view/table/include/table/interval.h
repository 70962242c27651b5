/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a number with its 95 % interval, in the same way everywhere. */
#ifndef TABLE_INTERVAL_H
#define TABLE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

/* A number and its interval. */
struct view_interval {
    double value, low, high; /* NAN: not known */
    int decimals;            /* digits after the point of all three */
    bool is_signed;          /* write a sign also if they are positive */
    const char *unit;        /* appended to the value, like " %"; NULL: none */
};

/* Writes "44.2 % ± 0.8" if both sides are equal as they are written, else "44.2 % [42.9, 45.3]".
 * Without utf8, "+/-" is written for "±". Writes only the value if one end is not known, and "-" if
 * the value is not known. capacity is bytes of text. */
void view_show_interval(const struct view_interval *interval, bool utf8, char *text,
                        size_t capacity);

/* Writes only the interval: "± 0.8" or "[42.9, 45.3]"; "" if one end is not known. */
void view_show_ends(const struct view_interval *interval, bool utf8, char *text, size_t capacity);

/* Removes the interval from a text of view_show_interval(). */
void view_cut_interval(char *text);

/* Returns "±", or "+/-" without utf8; a constant. */
const char *view_plus_minus(bool utf8);

#endif
