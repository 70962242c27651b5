/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a diff for spreadsheets. */
#include <inttypes.h>
#include <stdlib.h>

#include <base/text.h>
#include <table/change_output.h>

static void add_cell(struct text *t, const struct view_change_column *column,
                     const struct view_change *row)
{
    struct view_value value = {.kind = VIEW_VALUE_NONE};

    column->value(row, &value);
    if (value.kind == VIEW_VALUE_TEXT)
        text_csv(t, value.text);
    else if (value.kind == VIEW_VALUE_NUMBER)
        text_printf(t, "%.9g", value.number);
    else if (value.kind == VIEW_VALUE_COUNT)
        text_printf(t, "%" PRIu64, value.count);
}

char *view_changes_csv(const struct view_change_layout *layout, const struct view_changes *changes)
{
    const struct view_change_fields *f = layout->fields;
    struct text t = {.bytes = NULL};

    for (size_t i = 0; i < f->count; i++)
        text_printf(&t, "%s%s", i ? "," : "", f->column[i]->name);
    text_add(&t, "\n", 1);
    for (size_t k = 0; k < changes->count && (layout->limit == 0 || k < layout->limit); k++) {
        for (size_t i = 0; i < f->count; i++) {
            text_add(&t, ",", i ? 1 : 0);
            add_cell(&t, f->column[i], &changes->rows[k]);
        }
        text_add(&t, "\n", 1);
    }
    if (!t.failed)
        return t.bytes;
    free(t.bytes);
    return NULL;
}
