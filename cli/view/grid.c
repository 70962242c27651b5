/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays cells out in columns. */
#define _POSIX_C_SOURCE 200809L

#include <view/grid.h>

#include <stdlib.h>
#include <string.h>

#include <view/text.h>

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

static unsigned width_of(const char *s)
{
    unsigned width = 0;

    for (; *s; s += text_char_len(s))
        width++;
    return width;
}

static unsigned column_width(const struct view_grid *g, size_t column)
{
    unsigned width = width_of(g->columns[column].title);

    for (size_t i = 0; i < count_rows(g); i++) {
        unsigned cell = width_of(shown_at(g, i, column));
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

char *view_grid_text(const struct view_grid *grid)
{
    const struct view_grid *g = grid;
    unsigned *widths = calloc(g->column_count, sizeof(*widths));
    struct text t = {.failed = !widths || g->failed};

    for (size_t c = 0; !t.failed && c < g->column_count; c++)
        widths[c] = g->columns[c].title ? column_width(g, c) : 0;
    for (size_t i = 0; !t.failed && i <= count_rows(g); i++) {
        for (size_t c = 0; c < g->column_count; c++) {
            const struct view_grid_column *column = &g->columns[c];
            if (!column->title)
                continue;
            const char *cell = i == 0 ? column->title : shown_at(g, i - 1, c);
            text_cell(&t, cell, widths[c], column->right, true);
            text_add(&t, "  ", 2);
        }
        trim(&t);
    }
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
