/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a diff in columns. */
#ifndef SCREEN_CHANGE_GRID_H
#define SCREEN_CHANGE_GRID_H

#include <base/text.h>
#include <screen/frame.h>
#include <table/change_columns.h>

struct change_grid {
    const struct view_change_fields *fields;
    unsigned widths[VIEW_CHANGE_FIELDS_MAX];
    bool live;  /* the new side is called "now"; "~" marks changes that are not significant */
    bool brief; /* numbers without their intervals */
};

/* Columns as wide as the cells of these rows, but those that share what is left of width. steady:
 * and at least as wide as they are meant to be, so that they seldom move. */
void change_grid_measure(struct change_grid *grid, const struct view_change *rows, size_t count,
                         unsigned width, bool steady);

void change_grid_headings(const struct change_grid *grid, struct text *text);
void change_grid_row(const struct change_grid *grid, const struct view_change *row,
                     struct text *text);

/* A row that takes more, less, or neither for all that can be said. */
enum view_style change_grid_style(const struct view_change *row);

#endif
