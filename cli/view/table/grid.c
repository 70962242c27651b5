/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays cells out in columns. */
#define _POSIX_C_SOURCE 200809L

#include <table/grid.h>

#include <stdlib.h>
#include <string.h>

#include <base/text.h>

/* Between columns. */
#define GAP 2

/* What is still to be seen of the last column. */
#define LAST_MIN 8

void view_grid_add(struct view_grid *grid, const char *shown, const char *value)
{
    if (grid->failed)
        return;
    if (grid->cell_count + 2 > grid->capacity) {
        size_t capacity = grid->capacity ? 2 * grid->capacity : 256;
        char **cells = realloc(grid->cells, capacity * sizeof(*cells));
        grid->failed = !cells;
        if (!cells)
            return;
        grid->cells = cells;
        grid->capacity = capacity;
    }
    char **cell = &grid->cells[grid->cell_count];
    cell[0] = strdup(shown);
    cell[1] = strdup(value);
    grid->cell_count += 2;
    grid->failed = !cell[0] || !cell[1];
}

void view_grid_free(struct view_grid *grid)
{
    for (size_t i = 0; i < grid->cell_count; i++)
        free(grid->cells[i]);
    free(grid->cells);
    *grid = (struct view_grid){.columns = NULL};
}

static size_t count_rows(const struct view_grid *g)
{
    return g->cell_count / 2 / g->column_count;
}

static const char *shown_at(const struct view_grid *g, size_t row, size_t column)
{
    return g->cells[2 * (row * g->column_count + column)];
}

static const char *value_at(const struct view_grid *g, size_t row, size_t column)
{
    return g->cells[2 * (row * g->column_count + column) + 1];
}

static char *finish(struct text *t)
{
    text_add(t, "", 0);
    if (!t->failed)
        return t->bytes;
    free(t->bytes);
    return NULL;
}

static unsigned column_width(const struct view_grid *g, size_t column)
{
    unsigned width = (unsigned)text_cells(g->columns[column].title);

    for (size_t i = 0; i < count_rows(g); i++) {
        unsigned cell = (unsigned)text_cells(shown_at(g, i, column));
        width = cell > width ? cell : width;
    }
    return width;
}

static void trim(struct text *t)
{
    while (t->len && t->bytes[t->len - 1] == ' ')
        t->bytes[--t->len] = '\0';
    text_add(t, "\n", 1);
}

/* With the gaps between them; columns of width 0 are not there. */
static unsigned sum_of(const struct view_grid *g, const unsigned *widths)
{
    unsigned sum = 0;

    for (size_t c = 0; c < g->column_count; c++)
        sum += widths[c] ? widths[c] + GAP : 0;
    return sum;
}

/* The next column that a narrow text does without; column_count: none. */
static size_t next_dropped(const struct view_grid *g, const unsigned *widths)
{
    size_t found = g->column_count;

    for (size_t c = 0; c < g->column_count; c++) {
        if (widths[c] && g->columns[c].drop &&
            (found == g->column_count || g->columns[c].drop < g->columns[found].drop))
            found = c;
    }
    return found;
}

static void fit(const struct view_grid *g, unsigned width, unsigned *widths)
{
    size_t dropped, last = 0;

    for (size_t c = 0; c < g->column_count; c++) {
        widths[c] = g->columns[c].title ? column_width(g, c) : 0;
        last = widths[c] ? c : last;
    }
    while (width && sum_of(g, widths) > width + GAP &&
           (dropped = next_dropped(g, widths)) < g->column_count)
        widths[dropped] = 0;
    unsigned sum = sum_of(g, widths) - GAP;
    if (width && sum > width && widths[last] > LAST_MIN)
        widths[last] =
            widths[last] > sum - width + LAST_MIN ? widths[last] - (sum - width) : LAST_MIN;
}

static void add_line(const struct view_grid *g, size_t line, const unsigned *widths, struct text *t)
{
    for (size_t c = 0; c < g->column_count; c++) {
        const struct view_grid_column *column = &g->columns[c];
        if (widths[c] == 0)
            continue;
        const char *cell = line == 0 ? column->title : shown_at(g, line - 1, c);
        text_cell(t, cell, widths[c], column->right, true);
        text_add(t, "  ", GAP);
    }
    trim(t);
}

char *view_grid_text(const struct view_grid *grid, unsigned width)
{
    unsigned *widths = calloc(grid->column_count, sizeof(*widths));
    struct text t = {.failed = !widths || grid->failed};

    if (!t.failed)
        fit(grid, width, widths);
    for (size_t i = 0; !t.failed && i <= count_rows(grid); i++)
        add_line(grid, i, widths, &t);
    free(widths);
    return finish(&t);
}

char *view_grid_csv(const struct view_grid *grid, bool heading)
{
    const struct view_grid *g = grid;
    struct text t = {.failed = g->failed};

    for (size_t i = !heading; !t.failed && i <= count_rows(g); i++) {
        const char *comma = "";
        for (size_t c = 0; c < g->column_count; c++) {
            if (!g->columns[c].name)
                continue;
            text_add(&t, comma, strlen(comma));
            text_csv(&t, i == 0 ? g->columns[c].name : value_at(g, i - 1, c));
            comma = ",";
        }
        text_add(&t, "\n", 1);
    }
    return finish(&t);
}

static bool is_in_markdown(const struct view_grid_column *column)
{
    return column->title && !column->picture;
}

char *view_grid_markdown(const struct view_grid *grid)
{
    const struct view_grid *g = grid;
    struct text t = {.failed = g->failed};

    for (size_t c = 0; !t.failed && c < g->column_count; c++) {
        if (is_in_markdown(&g->columns[c]))
            text_printf(&t, "| %s ", g->columns[c].title);
    }
    text_add(&t, "|\n", 2);
    for (size_t c = 0; !t.failed && c < g->column_count; c++) {
        if (is_in_markdown(&g->columns[c]))
            text_printf(&t, "| %s ", g->columns[c].right ? "---:" : "---");
    }
    text_add(&t, "|\n", 2);
    for (size_t i = 0; !t.failed && i < count_rows(g); i++) {
        for (size_t c = 0; c < g->column_count; c++) {
            if (!is_in_markdown(&g->columns[c]))
                continue;
            text_add(&t, "| ", 2);
            text_markdown(&t, shown_at(g, i, c));
            text_add(&t, " ", 1);
        }
        text_add(&t, "|\n", 2);
    }
    return finish(&t);
}
