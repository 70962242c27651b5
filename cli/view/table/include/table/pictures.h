/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws numbers as text: bars and sparklines. */
#ifndef TABLE_PICTURES_H
#define TABLE_PICTURES_H

#include <stdbool.h>
#include <stddef.h>

/* Writes a bar that is part, 0 to 1, of width cells long, in eighths of a cell with utf8. Writes no
 * blanks after it. */
void picture_bar(double part, unsigned width, bool utf8, char *text, size_t capacity);

/* Returns the number of cells that the bar needs. */
unsigned picture_bar_cells(double part, unsigned width, bool utf8);

/*
 * Writes a sparkline of width cells: count values, the oldest first, at its right end. A full cell
 * is the largest value, but at least full. If there are more values than cells, a cell is the mean
 * of several. A value < 0 is not known, and blank.
 */
void picture_trend(const double *values, size_t count, double full, unsigned width, bool utf8,
                   char *text, size_t capacity);

#endif
