/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one way in which a number is shown with its 95 % interval. */
#ifndef TABLE_INTERVAL_H
#define TABLE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

struct view_interval {
    double value, low, high; /* NAN: not known */
    int decimals;            /* of all three */
    bool is_signed;          /* they are shown with their signs */
    const char *unit;        /* after the value, as " %"; NULL: none */
};

/* "44.2 % ± 0.8" if both sides look the same, else "44.2 % [42.9, 45.3]"; "+/-" if not utf8. The
 * value alone if one end is not known, "-" if the value is not. */
void view_show_interval(const struct view_interval *interval, bool utf8, char *text,
                        size_t capacity);

/* The same without the value: "± 0.8" or "[42.9, 45.3]"; "" if one end is not known. */
void view_show_ends(const struct view_interval *interval, bool utf8, char *text, size_t capacity);

/* Cuts the interval off a text that view_show_interval() has made. */
void view_cut_interval(char *text);

/* "±" or "+/-" */
const char *view_plus_minus(bool utf8);

#endif
