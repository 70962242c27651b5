/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells in rows and columns, as text, comma-separated values or Markdown. */
#ifndef TABLE_GRID_H
#define TABLE_GRID_H

#include <stdbool.h>
#include <stddef.h>

struct view_grid_column {
    const char *name;  /* in CSV; NULL: not there */
    const char *title; /* in text and Markdown; NULL: not there */
    bool right;        /* aligned to the right */
    bool picture;      /* not in Markdown */
    unsigned drop;     /* left out of narrow text, 1 first; 0: never */
};

struct view_grid {
    const struct view_grid_column *columns; /* the caller's */
    size_t column_count;
    char **cells; /* two of each: for people, and for programs */
    size_t cell_count, capacity;
    bool failed; /* no memory */
};

/* Adds the next cell, from left to right: as people see it, and its value. Both are copied. */
void view_grid_add(struct view_grid *grid, const char *shown, const char *value);
void view_grid_free(struct view_grid *grid);

/* All rows under their headings, each column as wide as its widest cell; CSV is of RFC 4180. Text
 * that is wider than width cells (0: no limit) does without columns that may be left out, and then
 * cuts the last one. Control characters are '?'. To be freed; NULL: no memory. */
char *view_grid_text(const struct view_grid *grid, unsigned width);
char *view_grid_csv(const struct view_grid *grid, bool heading);
char *view_grid_markdown(const struct view_grid *grid);

#endif
