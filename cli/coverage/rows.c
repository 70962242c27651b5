/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each line to the function above it in its file. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/text.h>
#include <base/vec.h>

/* Lines of one row on their way, in their order. */
struct span {
    const struct coverage_line *lines;
    size_t count;
};

static char *missing_of(const struct span *span)
{
    struct text t = {.bytes = NULL};

    for (size_t i = 0, next; i < span->count; i = next) {
        next = i + 1;
        if (span->lines[i].count != 0)
            continue;
        while (next < span->count && span->lines[next].count == 0)
            next++;
        text_printf(&t, "%s%u", t.len ? "," : "", span->lines[i].line);
        if (next > i + 1)
            text_printf(&t, "-%u", span->lines[next - 1].line);
    }
    return text_end(&t);
}

/* f NULL: lines before any function. */
static bool add(struct coverage_rows *rows, const struct coverage *c,
                const struct coverage_function *f, const struct span *span, bool only_missing)
{
    struct coverage_row row = {.lines = span->count};
    string_pool_id file = f ? f->file : span->lines[0].file;

    for (size_t i = 0; i < span->count; i++)
        row.lines_reached += span->lines[i].count != 0;
    bool whole = row.lines == row.lines_reached && (!f || (f->count && f->blocks == f->reached));
    if (whole && only_missing)
        return true;
    if (!VEC_ROOM(rows->all, rows->capacity, rows->count, 1))
        return false;
    row.file = string_pool_text(c->names, file);
    if (f) {
        row.name = string_pool_text(c->names, f->name);
        row.line = f->line;
        row.count = f->count;
        row.blocks = f->blocks;
        row.blocks_reached = f->reached;
    }
    if (row.lines != 0)
        row.share = (double)row.lines_reached / (double)row.lines;
    else
        row.share = row.count != 0;
    if (row.lines != row.lines_reached && !(row.missing = missing_of(span)))
        return false;
    rows->all[rows->count++] = row;
    return true;
}

/* The lines of a file from the first one on that are before line. */
static struct span take_span(const struct coverage *c, size_t *first, string_pool_id file,
                             unsigned line)
{
    struct span span = {.lines = c->lines ? &c->lines[*first] : NULL};

    while (*first < c->line_count && c->lines[*first].file == file &&
           c->lines[*first].line < line) {
        span.count++;
        ++*first;
    }
    return span;
}

/* Both lists are sorted by file and line. */
static bool add_all(const struct coverage *c, bool only_missing, struct coverage_rows *rows)
{
    size_t line = 0, f = 0;

    while (line < c->line_count || f < c->function_count) {
        const struct coverage_function *here = f < c->function_count ? &c->functions[f] : NULL;
        string_pool_id file = here ? here->file : c->lines[line].file;
        if (line < c->line_count && (!here || c->lines[line].file < file)) {
            file = c->lines[line].file;
            here = NULL;
        }
        struct span before = take_span(c, &line, file, here ? here->line : UINT32_MAX);
        if (before.count != 0 && !add(rows, c, NULL, &before, only_missing))
            return false;
        if (!here)
            continue;
        f++;
        bool more = f < c->function_count && here[1].file == file;
        struct span own = take_span(c, &line, file, more ? here[1].line : UINT32_MAX);
        if (!add(rows, c, here, &own, only_missing))
            return false;
    }
    return true;
}

static int by_missing(const void *a, const void *b)
{
    const struct coverage_row *x = a, *y = b;
    uint64_t m = x->lines - x->lines_reached, n = y->lines - y->lines_reached;

    if (m != n)
        return m < n ? 1 : -1;
    if ((x->count == 0) != (y->count == 0))
        return x->count == 0 ? -1 : 1;
    int order = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

bool coverage_rows_make(const struct coverage *coverage, bool only_missing,
                        struct coverage_rows *rows)
{
    bool done = add_all(coverage, only_missing, rows);

    if (rows->count != 0)
        qsort(rows->all, rows->count, sizeof(*rows->all), by_missing);
    return done;
}

void coverage_rows_free(struct coverage_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->all[i].missing);
    free(rows->all);
    *rows = (struct coverage_rows){.all = NULL};
}

#define ROW            ((const struct coverage_row *)of)
#define AT(member, of) .at = VIEW_AT(struct coverage_row, member, of)

static void get_where(const void *of, const struct view_scale *scale, struct view_value *value)
{
    (void)scale;
    if (!ROW->file)
        return;
    value->kind = VIEW_VALUE_TEXT;
    value->text = value->room;
    if (ROW->line != 0)
        snprintf(value->room, sizeof(value->room), "%s:%u", path_base_name(ROW->file), ROW->line);
    else
        snprintf(value->room, sizeof(value->room), "%s", path_base_name(ROW->file));
}

/* Of files, blocks are not known. */
static void take_blocks(uint64_t count, uint64_t blocks, struct view_value *value)
{
    if (blocks == 0)
        return;
    value->kind = VIEW_VALUE_COUNT;
    value->count = count;
}

static void get_blocks(const void *of, const struct view_scale *scale, struct view_value *value)
{
    (void)scale;
    take_blocks(ROW->blocks, ROW->blocks, value);
}

static void get_blocks_reached(const void *of, const struct view_scale *scale,
                               struct view_value *value)
{
    (void)scale;
    take_blocks(ROW->blocks_reached, ROW->blocks, value);
}

static const struct view_column columns[] = {
    {.type = COLUMN_SHARE,
     AT(share, double),
     .name = "covered",
     .title = "COVERED",
     .help = "part of its lines that were reached",
     .decimals = 1},
    {.type = COLUMN_COUNT,
     AT(lines_reached, uint64_t),
     .name = "lines_reached",
     .title = "REACHED",
     .help = "lines that were reached"},
    {.type = COLUMN_COUNT,
     AT(lines, uint64_t),
     .name = "lines",
     .title = "LINES",
     .help = "lines with code of which it is recorded"},
    {.type = COLUMN_COUNT,
     AT(count, uint64_t),
     .name = "count",
     .title = "COUNT",
     .help = "how often the function was entered; 1 if only whether"},
    {.type = COLUMN_COUNT,
     AT(count, uint64_t),
     .name = "calls",
     .title = "CALLS",
     .help = "calls that were seen"},
    {.type = COLUMN_COUNT,
     .get = get_blocks_reached,
     .name = "blocks_reached",
     .help = "calls of the hook that were reached"},
    {.type = COLUMN_COUNT, .get = get_blocks, .name = "blocks", .help = "calls of the hook"},
    {.type = COLUMN_TEXT,
     AT(name, const char *),
     .name = "function",
     .title = "FUNCTION",
     .help = "the function"},
    {.type = COLUMN_TEXT,
     .name = "where",
     .get = get_where,
     .title = "WHERE",
     .drop = 1,
     .help = "source line where it begins"},
    {.type = COLUMN_TEXT, AT(file, const char *), .name = "file", .help = "source file"},
    {.type = COLUMN_LINE,
     AT(line, unsigned),
     .name = "line",
     .help = "source line where it begins"},
    {.type = COLUMN_TEXT,
     .at = offsetof(struct coverage_row, missing),
     .name = "not_reached",
     .title = "NOT REACHED",
     .help = "lines that were not reached",
     .unknown = ""},
};

const struct view_columns coverage_columns = {.column = columns,
                                              .count = sizeof(columns) / sizeof(columns[0])};
