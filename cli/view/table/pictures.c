/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars and lines of levels. */
#include <table/pictures.h>

#include <math.h>
#include <string.h>

#define EIGHTHS 8
#define LEVELS  8

static const char *const levels[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                     "\u2585", "\u2586", "\u2587", "\u2588"};
static const char *const ascii_levels[] = {" ", ".", ":", "-", "=", "+", "*", "#"};

static void append(char *text, size_t capacity, size_t *len, const char *what)
{
    size_t more = strlen(what);

    if (*len + more >= capacity)
        return;
    memcpy(text + *len, what, more + 1);
    *len += more;
}

static double eighths_of(double part, unsigned width)
{
    return part > 0 ? round(fmin(part, 1) * width * EIGHTHS) : 0;
}

unsigned picture_bar_cells(double part, unsigned width, bool utf8)
{
    if (utf8)
        return (unsigned)eighths_of(part, width) / EIGHTHS;
    return part > 0 ? (unsigned)lround(fmin(part, 1) * width) : 0;
}

void picture_bar(double part, unsigned width, bool utf8, char *text, size_t capacity)
{
    static const char *const parts[] = {"",       "\u258f", "\u258e", "\u258d",
                                        "\u258c", "\u258b", "\u258a", "\u2589"};
    unsigned eighths = (unsigned)eighths_of(part, width);
    unsigned whole = picture_bar_cells(part, width, utf8);
    size_t len = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < whole; i++)
        append(text, capacity, &len, utf8 ? "\u2588" : "#");
    if (utf8)
        append(text, capacity, &len, parts[eighths % EIGHTHS]);
}

/* The mean of those that are known, -1: none is. */
static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        if (values[i] < 0)
            continue;
        sum += values[i];
        known++;
    }
    return known ? sum / (double)known : -1;
}

/* The values of one cell, which is so many cells before the last one. */
static double cell_value(const double *values, size_t count, size_t each, size_t before)
{
    size_t end = count - before * each;
    size_t first = end > each ? end - each : 0;

    return mean_of(values + first, end - first);
}

static const char *level_of(double value, double full, bool utf8)
{
    if (value < 0)
        return " ";
    int level = full > 0 ? (int)(fmin(value / full, 1) * (LEVELS - 1) + 0.5) : 0;
    /* What is there at all is more than nothing. */
    if (level == 0 && value > 0)
        level = 1;
    return utf8 ? levels[level] : ascii_levels[level];
}

void picture_trend(const double *values, size_t count, double full, unsigned width, bool utf8,
                   char *text, size_t capacity)
{
    size_t len = 0;

    text[0] = '\0';
    if (width == 0 || count == 0)
        return;
    size_t each = (count + width - 1) / width;
    size_t cells = (count + each - 1) / each;
    for (size_t i = 0; i < cells; i++)
        full = fmax(full, cell_value(values, count, each, i));
    for (size_t i = cells; i < width; i++)
        append(text, capacity, &len, " ");
    for (size_t i = cells; i-- > 0;)
        append(text, capacity, &len, level_of(cell_value(values, count, each, i), full, utf8));
}
