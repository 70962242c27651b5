/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a table as lines of a frame. */
#ifndef SCREEN_GRID_H
#define SCREEN_GRID_H

#include <base/text.h>
#include <ranking/change.h>
#include <screen/frame.h>

struct grid {
    const struct view_fields *fields;
    const struct view_scale *scale; /* NULL: the columns need none */
    unsigned widths[VIEW_FIELDS_MAX];
    bool live;  /* the new side is called "now" */
    bool brief; /* numbers without their intervals */
    /* In a brief grid, rows whose change may be none: it is "noise". NULL: no row. */
    bool (*is_noise)(const void *row);
};

/* Columns as wide as the cells of count rows, of size bytes each, but those that share what is left
 * of width. steady: and at least as wide as they are meant to be, so that they seldom move. */
void grid_measure(struct grid *grid, const void *rows, size_t size, size_t count, unsigned width,
                  bool steady);

void grid_headings(const struct grid *grid, struct text *text);
void grid_row(const struct grid *grid, const void *row, struct text *text);

/* The style of a change's row that takes more, less, or neither for all that can be said. */
enum view_style grid_change_style(const struct view_change *row);

#endif
