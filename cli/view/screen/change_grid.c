/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Widths and cells of a diff's columns. */
#include "change_grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <base/text.h>

/* Cells between two columns. */
#define GAP 2

/* Of a column that shares what is left, at least. */
#define PART_MIN 12

#define CELL_MAX  1000
#define TITLE_MAX 40

static void make_title(const struct change_grid *g, const struct view_change_column *column,
                       char title[TITLE_MAX])
{
    snprintf(title, TITLE_MAX, "%s", column->title);
    if (g->live && strncmp(title, "NEW", 3) == 0)
        title[1] = 'O', title[2] = 'W';
    if (g->brief)
        title[strcspn(title, "[")] = '\0';
    while (title[0] && title[strlen(title) - 1] == ' ')
        title[strlen(title) - 1] = '\0';
}

/* On a live screen a change that may be none must not look like a result. */
static bool is_doubtful(const struct change_grid *g, const struct view_change_column *column,
                        const struct view_change *row)
{
    return g->live && !row->d.significant && isfinite(row->d.ratio) &&
           (strcmp(column->name, "ratio") == 0 || strcmp(column->name, "change") == 0);
}

static void format_cell(const struct change_grid *g, const struct view_change_column *column,
                        const struct view_change *row, char cell[CELL_MAX])
{
    bool doubtful = is_doubtful(g, column, row);

    cell[0] = '~';
    column->format(row, cell + doubtful, CELL_MAX - doubtful);
    char *interval = g->brief && column->right ? strstr(cell, " [") : NULL;
    if (interval)
        *interval = '\0';
}

/* Numbers are never cut. */
static unsigned widest(const struct change_grid *g, const struct view_change_column *column,
                       const struct view_change *rows, size_t count)
{
    char cell[CELL_MAX], title[TITLE_MAX];

    make_title(g, column, title);
    size_t width = title[0] ? strlen(title) : 1;
    for (size_t i = 0; i < count; i++) {
        format_cell(g, column, &rows[i], cell);
        if (strlen(cell) > width)
            width = strlen(cell);
    }
    return (unsigned)width;
}

void change_grid_measure(struct change_grid *grid, const struct view_change *rows, size_t count,
                         unsigned width, bool steady)
{
    const struct view_change_fields *f = grid->fields;
    unsigned fixed = 0, parts = 0;

    for (size_t i = 0; i < f->count; i++) {
        const struct view_change_column *c = f->column[i];
        grid->widths[i] = c->part ? 0 : widest(grid, c, rows, count);
        if (steady && !grid->brief && grid->widths[i] < c->width)
            grid->widths[i] = c->width;
        fixed += grid->widths[i] + (i ? GAP : 0);
        parts += c->part;
    }
    unsigned rest = width > fixed ? width - fixed : 0;
    for (size_t i = 0; i < f->count && parts; i++) {
        unsigned share = rest * f->column[i]->part / parts;
        if (f->column[i]->part)
            grid->widths[i] = share < PART_MIN ? PART_MIN : share;
    }
}

void change_grid_headings(const struct change_grid *grid, struct text *text)
{
    const struct view_change_fields *f = grid->fields;

    for (size_t i = 0; i < f->count; i++) {
        char title[TITLE_MAX];
        make_title(grid, f->column[i], title);
        text_cell(text, "", i ? GAP : 0, false, true);
        text_cell(text, title, grid->widths[i], f->column[i]->right, true);
    }
}

void change_grid_row(const struct change_grid *grid, const struct view_change *row,
                     struct text *text)
{
    const struct view_change_fields *f = grid->fields;
    char cell[CELL_MAX];

    for (size_t i = 0; i < f->count; i++) {
        format_cell(grid, f->column[i], row, cell);
        text_cell(text, "", i ? GAP : 0, false, true);
        text_cell(text, cell, grid->widths[i], f->column[i]->right, true);
    }
}

enum view_style change_grid_style(const struct view_change *row)
{
    if (!row->d.significant)
        return VIEW_STYLE_ROW;
    return row->d.direction > 0 ? VIEW_STYLE_WORSE : VIEW_STYLE_BETTER;
}
