/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Widths and cells of a table's columns. */
#include "grid.h"

#include <stdio.h>

#include <base/text.h>
#include <table/interval.h>

#include "frame_lines.h"

/* Of a column that shares what is left, at least. */
#define PART_LEAST 12

#define CELL_MAX  1000
#define TITLE_MAX 512

static void make_title(const struct grid *g, size_t index, char title[TITLE_MAX])
{
    const struct view_column *c = g->fields->column[index];
    const char *usual = g->live && c->now ? c->now : g->brief && c->brief ? c->brief : c->title;

    snprintf(title, TITLE_MAX, "%s", usual);
    if (c->heading)
        c->heading(g->scale, g->widths[index], title, TITLE_MAX);
}

static void format_cell(const struct grid *g, size_t index, const void *row, char cell[CELL_MAX])
{
    const struct view_column *c = g->fields->column[index];
    bool brief = g->brief && (c->flags & COLUMN_INTERVAL);

    /* Without its interval it would look like a result. */
    if (brief && g->is_noise && g->is_noise(row)) {
        snprintf(cell, CELL_MAX, "noise");
        return;
    }
    view_column_show(c, row, g->scale, g->widths[index], cell, CELL_MAX);
    if (brief)
        view_cut_interval(cell);
}

/* Numbers are never cut. */
static unsigned widest(const struct grid *g, size_t index, const char *rows, size_t size,
                       size_t count)
{
    char cell[CELL_MAX], title[TITLE_MAX];

    make_title(g, index, title);
    size_t width = title[0] ? text_cells(title) : 1;
    for (size_t i = 0; i < count; i++) {
        format_cell(g, index, rows + i * size, cell);
        if (text_cells(cell) > width)
            width = text_cells(cell);
    }
    return (unsigned)width;
}

/* What is left of width is shared by columns without one. */
static void share_rest(struct grid *grid, unsigned width)
{
    const struct view_fields *f = grid->fields;
    unsigned fixed = 0, parts = 0;

    for (size_t i = 0; i < f->count; i++) {
        fixed += grid->widths[i] + (i ? FRAME_GAP : 0);
        parts += grid->widths[i] ? 0 : f->column[i]->part;
    }
    unsigned rest = width > fixed ? width - fixed : 0;
    for (size_t i = 0; i < f->count && parts; i++) {
        unsigned share = rest * f->column[i]->part / parts;
        if (grid->widths[i] == 0)
            grid->widths[i] = share < PART_LEAST ? PART_LEAST : share;
    }
}

void grid_measure(struct grid *grid, const void *rows, size_t size, size_t count, unsigned width,
                  bool steady)
{
    const struct view_fields *f = grid->fields;

    for (size_t i = 0; i < f->count; i++) {
        const struct view_column *c = f->column[i];
        grid->widths[i] = c->part ? 0 : widest(grid, i, rows, size, count);
        if (steady && !grid->brief && grid->widths[i] < c->width)
            grid->widths[i] = c->width;
    }
    share_rest(grid, width);
}

static void add_cell(const struct grid *grid, size_t index, const char *cell, struct text *text)
{
    const struct view_column *c = grid->fields->column[index];

    text_cell(text, "", index ? FRAME_GAP : 0, false, true);
    text_cell(text, cell, grid->widths[index], view_column_is_right(c), true);
}

void grid_headings(const struct grid *grid, struct text *text)
{
    char title[TITLE_MAX];

    for (size_t i = 0; i < grid->fields->count; i++) {
        make_title(grid, i, title);
        add_cell(grid, i, title, text);
    }
}

void grid_row(const struct grid *grid, const void *row, struct text *text)
{
    char cell[CELL_MAX];

    for (size_t i = 0; i < grid->fields->count; i++) {
        format_cell(grid, i, row, cell);
        add_cell(grid, i, cell, text);
    }
}

enum view_style grid_change_style(const struct view_change *row)
{
    if (!row->d.significant)
        return VIEW_STYLE_ROW;
    return row->d.direction > 0 ? VIEW_STYLE_WORSE : VIEW_STYLE_BETTER;
}
