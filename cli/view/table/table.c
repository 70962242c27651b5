/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The four writers of a table. */
#include <table/table.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <table/json_parts.h>
#include <table/time.h>

/* Between columns. */
#define GAP 2

/* What is still to be seen of the last column. */
#define LAST_MIN 8

/* Wide enough for any name that is no joke. */
#define CELL_WIDTH 200
#define CELL_SIZE  1000

static const void *row_at(const struct view_table *t, size_t i)
{
    return (const char *)t->rows + i * t->size;
}

static void show(const struct view_table *t, const struct view_column *c, size_t row,
                 char cell[CELL_SIZE])
{
    view_column_show(c, row_at(t, row), t->scale, c->width ? c->width : CELL_WIDTH, cell,
                     CELL_SIZE);
}

static unsigned natural_width(const struct view_table *t, const struct view_column *c)
{
    size_t width = text_cells(c->title);
    char cell[CELL_SIZE];

    for (size_t i = 0; i < t->count; i++) {
        show(t, c, i, cell);
        size_t cells = text_cells(cell);
        width = cells > width ? cells : width;
    }
    return (unsigned)width;
}

/* With the gaps between them; columns of width 0 are not there. */
static unsigned sum_of(const struct view_table *t, const unsigned *widths)
{
    unsigned sum = 0;

    for (size_t i = 0; i < t->fields->count; i++)
        sum += widths[i] ? widths[i] + GAP : 0;
    return sum;
}

/* The next column that a narrow table does without; the count of them: none. */
static size_t next_dropped(const struct view_fields *f, const unsigned *widths)
{
    size_t found = f->count;

    for (size_t i = 0; i < f->count; i++) {
        unsigned drop = f->column[i]->drop;
        if (widths[i] && drop && (found == f->count || drop < f->column[found]->drop))
            found = i;
    }
    return found;
}

static void fit(const struct view_table *t, unsigned width, unsigned *widths)
{
    const struct view_fields *f = t->fields;
    size_t dropped, last = 0;

    for (size_t i = 0; i < f->count; i++) {
        widths[i] = f->column[i]->title ? natural_width(t, f->column[i]) : 0;
        last = widths[i] ? i : last;
    }
    while (width && sum_of(t, widths) > width + GAP &&
           (dropped = next_dropped(f, widths)) < f->count)
        widths[dropped] = 0;
    unsigned sum = sum_of(t, widths) - GAP;
    if (width && sum > width && widths[last] > LAST_MIN)
        widths[last] =
            widths[last] > sum - width + LAST_MIN ? widths[last] - (sum - width) : LAST_MIN;
}

static void add_cell(struct text *to, const struct view_column *c, unsigned width, const char *cell)
{
    if (width == 0)
        return;
    text_cell(to, cell, width, view_column_is_right(c), true);
    text_add(to, "  ", GAP);
}

static void end_line(struct text *to)
{
    while (to->len && to->bytes[to->len - 1] == ' ')
        to->bytes[--to->len] = '\0';
    text_add(to, "\n", 1);
}

static void write_text(const struct view_table *table, unsigned width, struct text *to)
{
    const struct view_fields *f = table->fields;
    unsigned widths[VIEW_FIELDS_MAX];
    char cell[CELL_SIZE];

    fit(table, width, widths);
    for (size_t i = 0; i < f->count; i++)
        add_cell(to, f->column[i], widths[i], f->column[i]->title);
    end_line(to);
    for (size_t row = 0; row < table->count; row++) {
        for (size_t i = 0; i < f->count; i++) {
            if (widths[i])
                show(table, f->column[i], row, cell);
            add_cell(to, f->column[i], widths[i], cell);
        }
        end_line(to);
    }
}

static void add_value(struct text *to, const struct view_value *value)
{
    char time[48];

    switch (value->kind) {
    case VIEW_VALUE_NONE:
        break;
    case VIEW_VALUE_TEXT:
        text_csv(to, value->text);
        break;
    case VIEW_VALUE_NUMBER:
        text_printf(to, "%.9g", value->number);
        break;
    case VIEW_VALUE_COUNT:
        text_printf(to, "%" PRIu64, value->count);
        break;
    case VIEW_VALUE_ADDRESS:
        text_printf(to, "0x%" PRIx64, value->address);
        break;
    case VIEW_VALUE_FLAG:
        text_printf(to, "%s", value->flag ? "true" : "false");
        break;
    case VIEW_VALUE_TIME:
        view_time(value->time_ns, true, time, sizeof(time));
        text_csv(to, time);
        break;
    }
}

static bool is_in_csv(const struct view_column *c)
{
    return c->name && !view_column_is_picture(c);
}

static void add_values(const struct view_table *t, size_t row, struct text *to)
{
    struct view_value value;
    const char *comma = "";

    for (size_t i = 0; i < t->fields->count; i++) {
        if (!is_in_csv(t->fields->column[i]))
            continue;
        text_printf(to, "%s", comma);
        view_column_value(t->fields->column[i], row_at(t, row), t->scale, &value);
        add_value(to, &value);
        comma = ",";
    }
    text_add(to, "\n", 1);
}

void view_table_csv(const struct view_table *table, bool heading, struct text *to)
{
    const char *comma = "";

    text_add(to, "", 0);
    for (size_t i = 0; heading && i < table->fields->count; i++) {
        if (!is_in_csv(table->fields->column[i]))
            continue;
        text_printf(to, "%s%s", comma, table->fields->column[i]->name);
        comma = ",";
    }
    text_add(to, "\n", heading);
    for (size_t row = 0; row < table->count; row++)
        add_values(table, row, to);
}

static bool is_in_markdown(const struct view_column *c)
{
    return c->title && !view_column_is_picture(c);
}

static void add_markdown_row(const struct view_table *t, size_t row, struct text *to)
{
    char cell[CELL_SIZE];

    for (size_t i = 0; i < t->fields->count; i++) {
        if (!is_in_markdown(t->fields->column[i]))
            continue;
        show(t, t->fields->column[i], row, cell);
        text_add(to, "| ", 2);
        text_markdown(to, cell);
        text_add(to, " ", 1);
    }
    text_add(to, "|\n", 2);
}

void view_table_markdown(const struct view_table *table, struct text *to)
{
    const struct view_fields *f = table->fields;

    for (size_t i = 0; i < f->count; i++)
        if (is_in_markdown(f->column[i]))
            text_printf(to, "| %s ", f->column[i]->title);
    text_add(to, "|\n", 2);
    for (size_t i = 0; i < f->count; i++)
        if (is_in_markdown(f->column[i]))
            text_printf(to, "| %s ", view_column_is_right(f->column[i]) ? "---:" : "---");
    text_add(to, "|\n", 2);
    for (size_t row = 0; row < table->count; row++)
        add_markdown_row(table, row, to);
}

void view_table_write(const struct view_table *table, enum view_format format, unsigned width,
                      struct text *to)
{
    if (format == FORMAT_CSV)
        view_table_csv(table, true, to);
    else if (format == FORMAT_MARKDOWN)
        view_table_markdown(table, to);
    else
        write_text(table, width, to);
}

static json_t *json_value(const struct view_value *value)
{
    char address[32];

    switch (value->kind) {
    case VIEW_VALUE_NONE:
        return json_null();
    case VIEW_VALUE_TEXT:
        return json_text(value->text);
    case VIEW_VALUE_NUMBER:
        return json_real(value->number);
    case VIEW_VALUE_COUNT:
        return json_integer((json_int_t)value->count);
    case VIEW_VALUE_ADDRESS:
        snprintf(address, sizeof(address), "0x%" PRIx64, value->address);
        return json_string(address);
    case VIEW_VALUE_FLAG:
        return json_boolean(value->flag);
    case VIEW_VALUE_TIME:
        return json_time(value->time_ns);
    }
    return NULL;
}

static json_t *json_row(const struct view_table *t, size_t row)
{
    json_t *object = json_object();
    struct view_value value;
    bool done = object != NULL;

    for (size_t i = 0; done && i < t->fields->count; i++) {
        const struct view_column *c = t->fields->column[i];
        view_column_value(c, row_at(t, row), t->scale, &value);
        done = json_object_set_new(object, c->key ? c->key : c->name, json_value(&value)) == 0;
    }
    if (done)
        return object;
    json_decref(object);
    return NULL;
}

json_t *view_table_json(const struct view_table *table)
{
    json_t *array = json_array();

    for (size_t row = 0; array && row < table->count; row++) {
        if (json_array_append_new(array, json_row(table, row)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}
