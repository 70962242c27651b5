/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows for a pull request or a note. */
#include <table/markdown.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <ranking/build.h>

/* Wide enough for any name that is no joke. */
#define CELL_WIDTH 200

static void add_summary(struct text *t, const struct view_status *s, const struct profile *p,
                        const struct view_rows *rows)
{
    text_add(t, "**", 2);
    text_markdown(t, s->elf[0] ? s->elf : s->command);
    text_add(t, "**", 2);
    if (s->build_id[0])
        text_printf(t, " %.*s", view_build_len(s->build_id), s->build_id);
    text_printf(t, ": %" PRIu64 " %s", rows->attributed, view_unit(s, p));
    if (!p->plain)
        text_printf(t, ", dropped %" PRIu32, p->dropped);
    text_add(t, "\n\n", 2);
}

static void add_headings(struct text *t, const struct view_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        if (fields->column[i]->value)
            text_printf(t, "| %s ", fields->column[i]->title);
    }
    text_add(t, "|\n", 2);
    for (size_t i = 0; i < fields->count; i++) {
        if (fields->column[i]->value)
            text_printf(t, "| %s ", fields->column[i]->right ? "---:" : "---");
    }
    text_add(t, "|\n", 2);
}

static void add_row(struct text *t, const struct view_fields *fields,
                    const struct view_scale *scale, const struct view_row *row)
{
    char cell[512];

    for (size_t i = 0; i < fields->count; i++) {
        const struct view_column *c = fields->column[i];
        if (!c->value)
            continue;
        c->format(row, scale, c->width ? c->width : CELL_WIDTH, cell, sizeof(cell));
        text_add(t, "| ", 2);
        text_markdown(t, cell);
        text_add(t, " ", 1);
    }
    text_add(t, "|\n", 2);
}

char *view_markdown(const struct view_status *status, const struct view_fields *fields,
                    const struct profile *profile, const struct view_rows *rows, size_t limit)
{
    const struct view_scale scale = {.top_share = 1, .addr_size = status->addr_size};
    size_t shown = limit && limit < rows->count ? limit : rows->count;
    struct text t = {.bytes = NULL};

    add_summary(&t, status, profile, rows);
    add_headings(&t, fields);
    for (size_t i = 0; i < shown; i++)
        add_row(&t, fields, &scale, &rows->rows[i]);
    if (shown < rows->count)
        text_printf(&t, "\n%zu more rows\n", rows->count - shown);
    if (!t.failed)
        return t.bytes;
    free(t.bytes);
    return NULL;
}
