/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all columns have in common. */
#include <table/column.h>

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/nearest.h>
#include <table/time.h>

bool view_column_is_right(const struct view_column *column)
{
    return column->type >= COLUMN_LINE && column->type <= COLUMN_P &&
           !(column->flags & COLUMN_LEFT);
}

bool view_column_is_upwards(const struct view_column *column)
{
    return column->type <= COLUMN_LINE;
}

bool view_column_is_picture(const struct view_column *column)
{
    return column->type >= COLUMN_PICTURE;
}

unsigned view_column_width(const struct view_column *column, const struct view_scale *scale)
{
    if (column->type == COLUMN_ADDRESS && scale && scale->addr_size)
        return 2 + 2 * scale->addr_size;
    return column->width;
}

static void get_text(const char *text, struct view_value *value)
{
    value->kind = text && text[0] ? VIEW_VALUE_TEXT : VIEW_VALUE_NONE;
    value->text = text;
}

static void get_count(uint64_t count, struct view_value *value)
{
    value->kind = VIEW_VALUE_COUNT;
    value->count = count;
}

static void get_number(const struct view_column *c, double number, struct view_value *value)
{
    bool known = isfinite(number) && (number >= 0 || (c->flags & COLUMN_SIGNED));

    value->kind = known ? VIEW_VALUE_NUMBER : VIEW_VALUE_NONE;
    value->number = number;
}

static void get_time(int64_t time_ns, struct view_value *value)
{
    value->kind = time_ns > 0 ? VIEW_VALUE_TIME : VIEW_VALUE_NONE;
    value->time_ns = time_ns;
}

static void get_member(const struct view_column *c, const void *member, struct view_value *value)
{
    switch (c->type) {
    case COLUMN_TEXT:
        get_text(*(const char *const *)member, value);
        break;
    case COLUMN_COUNT:
        get_count(*(const uint64_t *)member, value);
        break;
    case COLUMN_LINE:
        get_count(*(const unsigned *)member, value);
        value->kind = value->count ? VIEW_VALUE_COUNT : VIEW_VALUE_NONE;
        break;
    case COLUMN_NUMBER:
    case COLUMN_SHARE:
    case COLUMN_P:
        get_number(c, *(const double *)member, value);
        break;
    case COLUMN_FLAG:
        value->kind = VIEW_VALUE_FLAG;
        value->flag = *(const bool *)member;
        break;
    case COLUMN_TIME:
        get_time(*(const int64_t *)member, value);
        break;
    case COLUMN_ADDRESS: /* has a get */
    case COLUMN_PICTURE:
    case COLUMN_BAR:
    case COLUMN_TREND:
        break;
    }
}

void view_column_value(const struct view_column *column, const void *row,
                       const struct view_scale *scale, struct view_value *value)
{
    value->kind = VIEW_VALUE_NONE;
    if (column->get)
        column->get(row, scale, value);
    else
        get_member(column, (const char *)row + column->at, value);
}

/* A number that rounds to nothing has no sign. */
void view_show_signed(double number, int decimals, char *text, size_t capacity)
{
    if (isnan(number))
        snprintf(text, capacity, "?");
    else if (isinf(number))
        snprintf(text, capacity, number > 0 ? "inf" : "-inf");
    else if (fabs(number) < 0.5 * pow(10, -decimals))
        snprintf(text, capacity, "%.*f", decimals, 0.0);
    else if (fabs(number) < 1e12)
        snprintf(text, capacity, "%+.*f", fabs(number) < 1e4 ? decimals : 0, number);
    else
        snprintf(text, capacity, "%+.3g", number);
}

static void show_number(const struct view_column *c, double number, char *text, size_t capacity)
{
    if (c->type == COLUMN_SHARE)
        number *= 100;
    if (c->type == COLUMN_P && number < pow(10, -(int)c->decimals))
        snprintf(text, capacity, "<%.*f", (int)c->decimals, pow(10, -(int)c->decimals));
    else if (c->flags & COLUMN_SIGNED)
        view_show_signed(number, (int)c->decimals, text, capacity);
    else
        snprintf(text, capacity, "%.*f", (int)c->decimals, number);
}

static void show_value(const struct view_column *c, const struct view_value *value,
                       unsigned addr_size, char *text, size_t capacity)
{
    switch (value->kind) {
    case VIEW_VALUE_NONE:
        snprintf(text, capacity, "%s", c->unknown ? c->unknown : "-");
        break;
    case VIEW_VALUE_TEXT:
        snprintf(text, capacity, "%s", value->text);
        break;
    case VIEW_VALUE_NUMBER:
        show_number(c, value->number, text, capacity);
        break;
    case VIEW_VALUE_COUNT:
        snprintf(text, capacity, "%" PRIu64, value->count);
        break;
    case VIEW_VALUE_ADDRESS:
        snprintf(text, capacity, "0x%0*" PRIx64, (int)(2 * addr_size), value->address);
        break;
    case VIEW_VALUE_FLAG:
        snprintf(text, capacity, "%s", value->flag ? "*" : "");
        break;
    case VIEW_VALUE_TIME:
        view_time(value->time_ns, false, text, capacity);
        break;
    }
}

void view_column_show(const struct view_column *column, const void *row,
                      const struct view_scale *scale, unsigned width, char *text, size_t capacity)
{
    struct view_value value;

    if (column->show) {
        column->show(row, scale, width, text, capacity);
        return;
    }
    view_column_value(column, row, scale, &value);
    show_value(column, &value, scale ? scale->addr_size : 0, text, capacity);
}

/* The largest first. */
#define DOWN(a, b) (((b) > (a)) - ((b) < (a)))

int view_column_compare(const struct view_column *column, const void *a, const void *b)
{
    struct view_value x, y;

    if (column->compare)
        return column->compare(a, b);
    view_column_value(column, a, NULL, &x);
    view_column_value(column, b, NULL, &y);
    if (x.kind != y.kind) /* unknown ones are last; addresses stand for names */
        return x.kind == VIEW_VALUE_NONE   ? 1
               : y.kind == VIEW_VALUE_NONE ? -1
                                           : (int)x.kind - (int)y.kind;
    switch (x.kind) {
    case VIEW_VALUE_NONE:
        return 0;
    case VIEW_VALUE_TEXT:
        return strcmp(x.text, y.text);
    case VIEW_VALUE_NUMBER:
        return column->type == COLUMN_P ? DOWN(y.number, x.number) : DOWN(x.number, y.number);
    case VIEW_VALUE_COUNT:
        return column->type == COLUMN_LINE ? DOWN(y.count, x.count) : DOWN(x.count, y.count);
    case VIEW_VALUE_ADDRESS:
        return DOWN(y.address, x.address);
    case VIEW_VALUE_FLAG:
        return y.flag - x.flag;
    case VIEW_VALUE_TIME:
        return DOWN(x.time_ns, y.time_ns);
    }
    return 0;
}

/* qsort has no context: each row has the order next to it while they are sorted. */
struct order {
    const struct view_column *column;
    int (*then)(const void *a, const void *b);
};

struct sortable {
    const char *row;
    const struct order *order;
};

static int compare_sortable(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    int order = view_column_compare(x->order->column, x->row, y->row);

    return order ? order : x->order->then(x->row, y->row);
}

void view_sort(void *rows, size_t count, size_t size, const struct view_column *column,
               int (*then)(const void *a, const void *b))
{
    const struct order order = {.column = column, .then = then};
    struct sortable *places = calloc(count + 1, sizeof(*places));
    char *copy = calloc(count + 1, size);

    if (places && copy && count) {
        memcpy(copy, rows, count * size);
        for (size_t i = 0; i < count; i++)
            places[i] = (struct sortable){.row = copy + i * size, .order = &order};
        qsort(places, count, sizeof(*places), compare_sortable);
        for (size_t i = 0; i < count; i++)
            memcpy((char *)rows + i * size, places[i].row, size);
    }
    free(copy);
    free(places);
}

static const struct view_column *find(const struct view_column *columns, size_t count,
                                      const char *name, size_t len)
{
    for (size_t i = 0; i < count; i++) {
        const char *have = columns[i].name;
        if (have && strlen(have) == len && memcmp(have, name, len) == 0)
            return &columns[i];
    }
    return NULL;
}

const struct view_column *view_column_find(const struct view_columns *of, const char *name,
                                           size_t len)
{
    return find(of->column, of->count, name, len);
}

/* A long list is no help to whoever has only mistyped a name. */
static void say_unknown(const struct view_columns *of, const char *name, size_t len, char *text,
                        size_t capacity)
{
    char hint[NEAREST_HINT];
    struct nearest near;
    size_t used =
        (size_t)snprintf(text, capacity, "unknown column '%.*s'", len < 60 ? (int)len : 60, name);

    nearest_begin(&near, name, len);
    for (size_t i = 0; i < of->count; i++)
        nearest_offer(&near, of->column[i].name);
    if (near.name) {
        snprintf(text + used, capacity - used, "%s", nearest_hint(&near, "", hint, sizeof(hint)));
        return;
    }
    for (size_t i = 0; i < of->count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s %s", i ? "," : ": use",
                                 of->column[i].name);
}

bool view_fields_parse(const struct view_columns *of, const char *list, struct view_fields *fields,
                       char *text, size_t capacity)
{
    struct view_fields taken = {.count = 0};

    for (const char *name = list;; name++) {
        size_t len = strcspn(name, ",");
        const struct view_column *column = view_column_find(of, name, len);
        if (!column) {
            say_unknown(of, name, len, text, capacity);
            return false;
        }
        if (taken.count == VIEW_FIELDS_MAX) {
            snprintf(text, capacity, "more than %d columns", VIEW_FIELDS_MAX);
            return false;
        }
        taken.column[taken.count++] = column;
        name += len;
        if (*name == '\0')
            break;
    }
    *fields = taken;
    return true;
}

struct view_fields view_fields_of(const struct view_columns *of, const char *list)
{
    struct view_fields fields = {.count = 0};

    for (const char *name = list; *name; name += *name == ',') {
        size_t len = strcspn(name, ",");
        const struct view_column *column = find(of->column, of->count, name, len);
        if (!column)
            column = find(of->hidden, of->hidden_count, name, len);
        assert(column && fields.count < VIEW_FIELDS_MAX);
        fields.column[fields.count++] = column;
        name += len;
    }
    return fields;
}

struct view_fields view_fields_all(const struct view_columns *of)
{
    struct view_fields fields = {.count = of->count};

    assert(of->count <= VIEW_FIELDS_MAX);
    for (size_t i = 0; i < of->count; i++)
        fields.column[i] = &of->column[i];
    return fields;
}

void view_fields_drop(struct view_fields *fields, unsigned flags)
{
    size_t kept = 0;

    for (size_t i = 0; i < fields->count; i++) {
        if (!(fields->column[i]->flags & flags))
            fields->column[kept++] = fields->column[i];
    }
    fields->count = kept;
}
