/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers drawn in cells of text. */
#ifndef TABLE_PICTURES_H
#define TABLE_PICTURES_H

#include <stdbool.h>
#include <stddef.h>

/* A bar of part (0 to 1) of width cells, in eighths of a cell with utf8; nothing behind it. */
void picture_bar(double part, unsigned width, bool utf8, char *text, size_t capacity);

/* The cells of it that are full. */
unsigned picture_bar_cells(double part, unsigned width, bool utf8);

/*
 * The values, oldest first, as a row of levels at the right end of width cells, the newest one
 * last; full at the largest value, but at least at full. Where there are more values than cells, a
 * cell is the mean of as many as it takes; what is not known (< 0) is blank.
 */
void picture_trend(const double *values, size_t count, double full, unsigned width, bool utf8,
                   char *text, size_t capacity);

#endif
