/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a diff's columns. */
#include <table/change_columns.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <ranking/change_set.h>

#define FORMAT(name) static void name(const struct view_change *row, char *text, size_t capacity)
#define VALUE(name)  static void name(const struct view_change *row, struct view_value *value)

const char *view_change_state(const struct view_change *row)
{
    if (row->d.state == DIFF_NEW)
        return "new";
    if (row->d.state == DIFF_GONE)
        return "gone";
    if (row->old_name)
        return "renamed";
    return row->old_file ? "moved" : "";
}

/* A number that rounds to nothing has no sign. */
static void add_signed(double number, int decimals, char *text, size_t capacity)
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

/* "+4.8 % [+3.1, +6.5]" */
static void add_interval(double number, const char *unit, double low, double high, int decimals,
                         char *text, size_t capacity)
{
    char middle[40], from[40], to[40];

    if (isnan(number)) {
        snprintf(text, capacity, "-");
        return;
    }
    add_signed(number, decimals, middle, sizeof(middle));
    add_signed(low, decimals, from, sizeof(from));
    add_signed(high, decimals, to, sizeof(to));
    if (isnan(low) || isnan(high))
        snprintf(text, capacity, "%s%s", middle, unit);
    else
        snprintf(text, capacity, "%s%s [%s, %s]", middle, unit, from, to);
}

static void add_number(double number, int decimals, char *text, size_t capacity)
{
    if (isnan(number))
        snprintf(text, capacity, "-");
    else
        snprintf(text, capacity, "%.*f", decimals, number);
}

static void add_p(double p, char *text, size_t capacity)
{
    if (p < 0.0001)
        snprintf(text, capacity, "<0.0001");
    else
        add_number(p, 4, text, capacity);
}

/* Unknown and infinite numbers are none. */
static void give_number(struct view_value *value, double number)
{
    value->kind = isfinite(number) ? VIEW_VALUE_NUMBER : VIEW_VALUE_NONE;
    value->number = number;
}

static void give_count(struct view_value *value, uint64_t count)
{
    value->kind = VIEW_VALUE_COUNT;
    value->count = count;
}

static void give_text(struct view_value *value, const char *text)
{
    value->kind = text ? VIEW_VALUE_TEXT : VIEW_VALUE_NONE;
    value->text = text;
}

static int order_down(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (b > a) - (b < a);
}

static int order_text(const char *a, const char *b)
{
    if (!a || !b)
        return (a == NULL) - (b == NULL);
    return strcmp(a, b);
}

/* A column that is one number, the largest first. */
#define NUMBER(name, expression, show)                                                         \
    FORMAT(format_##name)                                                                      \
    {                                                                                          \
        show;                                                                                  \
    }                                                                                          \
    VALUE(value_##name)                                                                        \
    {                                                                                          \
        give_number(value, expression);                                                        \
    }                                                                                          \
    static int compare_##name(const struct view_change *left, const struct view_change *right) \
    {                                                                                          \
        const struct view_change *row = left;                                                  \
        double a = expression;                                                                 \
        row = right;                                                                           \
        return order_down(a, expression);                                                      \
    }

#define PERCENT(number) add_number(100 * (number), 2, text, capacity)
#define SIGNED(number)                                     \
    do {                                                   \
        if (isnan(number))                                 \
            snprintf(text, capacity, "-");                 \
        else                                               \
            add_signed(100 * (number), 2, text, capacity); \
    } while (0)

NUMBER(base_share, row->d.base_share, PERCENT(row->d.base_share))
NUMBER(new_share, row->d.new_share, PERCENT(row->d.new_share))
NUMBER(share_change, row->d.share_change, SIGNED(row->d.share_change))
NUMBER(change, row->d.change,
       add_interval(100 * row->d.change, "", 100 * row->d.change_low, 100 * row->d.change_high, 2,
                    text, capacity))
NUMBER(low, row->d.change_low, SIGNED(row->d.change_low))
NUMBER(high, row->d.change_high, SIGNED(row->d.change_high))
NUMBER(ratio_low, row->d.ratio_low, SIGNED(row->d.ratio_low - 1))
NUMBER(ratio_high, row->d.ratio_high, SIGNED(row->d.ratio_high - 1))
NUMBER(base_time, row->time[VIEW_BASE], add_number(row->time[VIEW_BASE], 2, text, capacity))
NUMBER(new_time, row->time[VIEW_NEW], add_number(row->time[VIEW_NEW], 2, text, capacity))
NUMBER(noise, row->d.noise, PERCENT(row->d.noise))

FORMAT(format_ratio)
{
    if (isinf(row->d.ratio))
        snprintf(text, capacity, "new");
    else
        add_interval(100 * (row->d.ratio - 1), " %", 100 * (row->d.ratio_low - 1),
                     100 * (row->d.ratio_high - 1), 1, text, capacity);
}

VALUE(value_ratio)
{
    give_number(value, row->d.ratio);
}

static int compare_ratio(const struct view_change *a, const struct view_change *b)
{
    return order_down(a->d.ratio, b->d.ratio);
}

/* Small ones first. */
#define P(name)                                                                         \
    FORMAT(format_##name)                                                               \
    {                                                                                   \
        add_p(row->d.name, text, capacity);                                             \
    }                                                                                   \
    VALUE(value_##name)                                                                 \
    {                                                                                   \
        give_number(value, row->d.name);                                                \
    }                                                                                   \
    static int compare_##name(const struct view_change *a, const struct view_change *b) \
    {                                                                                   \
        return order_down(-a->d.name, -b->d.name);                                      \
    }
P(p)
P(adjusted)

#define COUNT(name)                                                                     \
    FORMAT(format_##name)                                                               \
    {                                                                                   \
        snprintf(text, capacity, "%" PRIu64, row->d.name);                              \
    }                                                                                   \
    VALUE(value_##name)                                                                 \
    {                                                                                   \
        give_count(value, row->d.name);                                                 \
    }                                                                                   \
    static int compare_##name(const struct view_change *a, const struct view_change *b) \
    {                                                                                   \
        return (b->d.name > a->d.name) - (b->d.name < a->d.name);                       \
    }
COUNT(base_hits)
COUNT(new_hits)

FORMAT(format_significant)
{
    snprintf(text, capacity, "%s", row->d.significant ? "*" : "");
}

VALUE(value_significant)
{
    give_text(value, row->d.significant ? "true" : "false");
}

/* What matters: significant rows by the size of the change, then the others. */
static int compare_impact(const struct view_change *a, const struct view_change *b)
{
    if (a->d.significant != b->d.significant)
        return a->d.significant ? -1 : 1;
    return order_down(fabs(a->d.change), fabs(b->d.change));
}

FORMAT(format_impact)
{
    add_number(100 * fabs(row->d.change), 2, text, capacity);
}

VALUE(value_impact)
{
    give_number(value, fabs(row->d.change));
}

FORMAT(format_state)
{
    snprintf(text, capacity, "%s", view_change_state(row));
}

VALUE(value_state)
{
    give_text(value, view_change_state(row));
}

static int compare_state(const struct view_change *a, const struct view_change *b)
{
    return strcmp(view_change_state(b), view_change_state(a));
}

FORMAT(format_function)
{
    char name[400];

    view_change_name(row, VIEW_BY_FUNCTION, name, sizeof(name));
    if (row->old_name)
        snprintf(text, capacity, "%s (was %s)", name, row->old_name);
    else if (row->old_file)
        snprintf(text, capacity, "%s (was in %s)", name, path_base_name(row->old_file));
    else
        snprintf(text, capacity, "%s", name);
}

FORMAT(format_caller)
{
    if (row->caller || row->caller_addr == 0)
        snprintf(text, capacity, "%s", row->caller ? row->caller : "-");
    else
        snprintf(text, capacity, "0x%" PRIx64, row->caller_addr);
}

#define TEXT(name)                                                                      \
    VALUE(value_##name)                                                                 \
    {                                                                                   \
        give_text(value, row->name);                                                    \
    }                                                                                   \
    static int compare_##name(const struct view_change *a, const struct view_change *b) \
    {                                                                                   \
        return order_text(a->name, b->name);                                            \
    }
TEXT(function)
TEXT(caller)
TEXT(old_name)
TEXT(old_file)
TEXT(file)

FORMAT(format_old_name)
{
    snprintf(text, capacity, "%s", row->old_name ? row->old_name : "");
}

FORMAT(format_old_file)
{
    snprintf(text, capacity, "%s", row->old_file ? row->old_file : "");
}

FORMAT(format_file)
{
    snprintf(text, capacity, "%s", row->file ? row->file : "-");
}

FORMAT(format_line)
{
    snprintf(text, capacity, row->line ? "%u" : "-", row->line);
}

VALUE(value_line)
{
    if (row->line)
        give_count(value, row->line);
}

static int compare_line(const struct view_change *a, const struct view_change *b)
{
    int order = order_text(a->file, b->file);

    return order ? order : (a->line > b->line) - (a->line < b->line);
}

FORMAT(format_location)
{
    if (!row->file)
        snprintf(text, capacity, "-");
    else if (row->line)
        snprintf(text, capacity, "%s:%u", path_base_name(row->file), row->line);
    else
        snprintf(text, capacity, "%s", path_base_name(row->file));
}

VALUE(value_location)
{
    if (!row->file)
        return;
    format_location(row, value->room, sizeof(value->room));
    give_text(value, value->room);
}

FORMAT(format_address)
{
    if (row->placed)
        snprintf(text, capacity, "0x%" PRIx64, row->addr);
    else
        snprintf(text, capacity, "-");
}

VALUE(value_address)
{
    if (!row->placed)
        return;
    format_address(row, value->room, sizeof(value->room));
    give_text(value, value->room);
}

static int compare_address(const struct view_change *a, const struct view_change *b)
{
    return (a->addr > b->addr) - (a->addr < b->addr);
}

#define COLUMN(column) \
    .name = #column, .format = format_##column, .value = value_##column, .compare = compare_##column

static const struct view_change_column columns[] = {
    {.name = "significant",
     .format = format_significant,
     .value = value_significant,
     .compare = compare_impact,
     .title = "",
     .width = 1,
     .help = "*: it changed by more than noise"},
    {COLUMN(impact), .title = "IMPACT", .width = 6, .right = true,
     .help = "size of the change, in percentage points; sorted by it, significant rows come first"},
    {COLUMN(state), .title = "STATE", .width = 7,
     .help = "new, gone, renamed or moved to another file (a guess)"},
    {COLUMN(base_share), .title = "BASE%", .width = 6, .right = true,
     .help = "share in base, in percent"},
    {COLUMN(new_share), .title = "NEW%", .width = 6, .right = true, .help = "share in new"},
    {COLUMN(share_change), .title = "RAW PP", .width = 7, .right = true,
     .help = "new share less base share: it changes when any other row does"},
    {COLUMN(change), .title = "CHANGE PP [95 %]", .width = 22, .right = true,
     .help = "the row's own change in percentage points of base's whole, with its interval"},
    {COLUMN(low), .title = "LOW", .width = 7, .right = true, .help = "lower end of that interval"},
    {COLUMN(high), .title = "HIGH", .width = 7, .right = true, .help = "upper end of it"},
    {COLUMN(ratio), .title = "CHANGE [95 %]", .width = 25, .right = true,
     .help = "the row's own change in percent of itself, with its interval"},
    {COLUMN(ratio_low), .title = "LOW", .width = 7, .right = true,
     .help = "lower end of that interval"},
    {COLUMN(ratio_high), .title = "HIGH", .width = 7, .right = true, .help = "upper end of it"},
    {COLUMN(p), .title = "P", .width = 7, .right = true,
     .help = "how probable so much is without a change, of this row alone"},
    {COLUMN(adjusted), .title = "P(ALL)", .width = 7, .right = true,
     .help = "p over all rows: significant where it is at most --fdr"},
    {COLUMN(base_hits), .title = "BASE HITS", .width = 10, .right = true, .help = "hits in base"},
    {COLUMN(new_hits), .title = "NEW HITS", .width = 10, .right = true, .help = "hits in new"},
    {COLUMN(base_time), .title = "BASE MS/S", .width = 9, .right = true,
     .help = "CPU milliseconds a second in base, where the rate is known"},
    {COLUMN(new_time), .title = "NEW MS/S", .width = 9, .right = true, .help = "the same in new"},
    {COLUMN(noise), .title = "NOISE%", .width = 6, .right = true,
     .help = "standard deviation between runs that was reckoned with, in percent"},
    {COLUMN(function), .title = "FUNCTION", .part = 4, .help = "name of the function"},
    {COLUMN(old_name), .title = "WAS", .part = 3, .help = "its name in base, of one renamed"},
    {COLUMN(old_file), .title = "WAS IN", .part = 3, .help = "its file in base, of one that moved"},
    {COLUMN(caller), .title = "CALLED FROM", .part = 4, .help = "with --by arc, who calls"},
    {.name = "location",
     .format = format_location,
     .value = value_location,
     .compare = compare_line,
     .title = "FILE:LINE",
     .part = 3,
     .help = "file without folder, and line"},
    {COLUMN(file), .title = "FILE", .part = 5, .help = "file as the compiler was given it"},
    {COLUMN(line), .title = "LINE", .width = 6, .right = true, .help = "line in the file"},
    {COLUMN(address), .title = "ADDRESS", .width = 18, .help = "where the row starts"},
};

const struct view_change_column *view_change_columns(size_t *count)
{
    *count = sizeof(columns) / sizeof(columns[0]);
    return columns;
}

static const struct view_change_column *find(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        if (strlen(columns[i].name) == len && memcmp(columns[i].name, name, len) == 0)
            return &columns[i];
    }
    return NULL;
}

/* Narrower lines have no room for the change in points. */
#define WIDE 110

const char *view_change_fields_default(enum view_by by, unsigned width)
{
#define FIELDS(place)                                                            \
    width >= WIDE ? "significant,base_share,new_share,change,ratio,state," place \
                  : "significant,base_share,new_share,ratio,state," place
    switch (by) {
    case VIEW_BY_LINE:
        return FIELDS("location,function");
    case VIEW_BY_FILE:
        return FIELDS("file");
    case VIEW_BY_ADDRESS:
        return FIELDS("address,function");
    case VIEW_BY_ARC:
        return FIELDS("caller,function");
    case VIEW_BY_FUNCTION:
    case VIEW_BY_INLINE:
    case VIEW_BY_CONTEXT:
        break;
    }
    return FIELDS("function,location");
#undef FIELDS
}

static void say_unknown(const char *name, size_t len, char *text, size_t capacity)
{
    size_t used = (size_t)snprintf(text, capacity,
                                   "no field '%.*s'; there are:", len < 60 ? (int)len : 60, name);

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]) && used < capacity; i++)
        used +=
            (size_t)snprintf(text + used, capacity - used, "%s %s", i ? "," : "", columns[i].name);
}

bool view_change_fields_parse(const char *list, struct view_change_fields *fields, char *text,
                              size_t capacity)
{
    struct view_change_fields taken = {.count = 0};

    for (const char *name = list;; name++) {
        size_t len = strcspn(name, ",");
        const struct view_change_column *column = find(name, len);
        if (!column) {
            say_unknown(name, len, text, capacity);
            return false;
        }
        if (taken.count == VIEW_CHANGE_FIELDS_MAX) {
            snprintf(text, capacity, "more than %d fields", VIEW_CHANGE_FIELDS_MAX);
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

/* qsort has no context: the column stands beside each row's number while they are sorted. */
struct sortable {
    const struct view_change *row;
    int (*compare)(const struct view_change *a, const struct view_change *b);
};

static int compare_sortable(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    int order = x->compare(x->row, y->row);

    if (order == 0)
        order = compare_impact(x->row, y->row);
    if (order == 0)
        order = order_down(x->row->d.base_share + x->row->d.new_share,
                           y->row->d.base_share + y->row->d.new_share);
    if (order == 0)
        order = order_text(x->row->function, y->row->function);
    if (order == 0)
        order = compare_line(x->row, y->row);
    return order ? order : compare_address(x->row, y->row);
}

void view_changes_sort(struct view_changes *changes, const struct view_change_column *column)
{
    struct sortable *all = calloc(changes->count + 1, sizeof(*all));
    struct view_change *rows = calloc(changes->count + 1, sizeof(*rows));

    for (size_t i = 0; all && rows && i < changes->count; i++)
        all[i] = (struct sortable){.row = &changes->rows[i],
                                   .compare = column ? column->compare : compare_impact};
    if (all && rows) {
        qsort(all, changes->count, sizeof(*all), compare_sortable);
        for (size_t i = 0; i < changes->count; i++)
            rows[i] = *all[i].row;
        free(changes->rows);
        changes->rows = rows;
        rows = NULL;
    }
    free(all);
    free(rows);
}
