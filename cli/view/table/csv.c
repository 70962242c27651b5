/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows for spreadsheets and scripts. */
#include <table/csv.h>

#include <inttypes.h>
#include <stdlib.h>

#include <base/text.h>

static void add_cell(struct text *t, const struct view_column *column, const struct view_row *row)
{
    struct view_value value = {.kind = VIEW_VALUE_NONE};

    column->value(row, &value);
    switch (value.kind) {
    case VIEW_VALUE_NONE:
        break;
    case VIEW_VALUE_TEXT:
        text_csv(t, value.text);
        break;
    case VIEW_VALUE_NUMBER:
        text_printf(t, "%.9g", value.number);
        break;
    case VIEW_VALUE_COUNT:
        text_printf(t, "%" PRIu64, value.count);
        break;
    }
}

static void add_heading(struct text *t, const struct view_fields *fields)
{
    text_add(t, "time", 4);
    for (size_t i = 0; i < fields->count; i++) {
        if (fields->column[i]->value)
            text_printf(t, ",%s", fields->column[i]->name);
    }
    text_add(t, "\n", 1);
}

static void add_row(struct text *t, double time_s, const struct view_fields *fields,
                    const struct view_row *row)
{
    if (time_s >= 0)
        text_printf(t, "%.9g", time_s);
    for (size_t i = 0; i < fields->count; i++) {
        if (!fields->column[i]->value)
            continue;
        text_add(t, ",", 1);
        add_cell(t, fields->column[i], row);
    }
    text_add(t, "\n", 1);
}

char *view_csv(const struct view_status *status, const struct view_fields *fields,
               const struct view_rows *rows, size_t limit, bool heading)
{
    struct text t = {.bytes = NULL};

    text_add(&t, "", 0);
    if (heading)
        add_heading(&t, fields);
    for (size_t i = 0; i < rows->count && (limit == 0 || i < limit); i++)
        add_row(&t, status->time_s, fields, &rows->rows[i]);
    if (!t.failed)
        return t.bytes;
    free(t.bytes);
    return NULL;
}
