/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of columns. */
#include <table/columns.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <table/pictures.h>

#include "values.h"

#define FORMAT(name)                                                                             \
    static void name(const struct view_row *row, const struct view_scale *scale, unsigned width, \
                     char *text, size_t capacity)
#define UNUSED(what) ((void)(what))

static void percent(double share, char *text, size_t capacity)
{
    if (share < 0)
        snprintf(text, capacity, "-");
    else
        snprintf(text, capacity, "%.1f", 100 * share);
}

FORMAT(format_share)
{
    UNUSED(scale), UNUSED(width);
    percent(row->share.value, text, capacity);
}

FORMAT(format_low)
{
    UNUSED(scale), UNUSED(width);
    percent(row->share.low, text, capacity);
}

FORMAT(format_high)
{
    UNUSED(scale), UNUSED(width);
    percent(row->share.high, text, capacity);
}

/* Of an interval whose sides differ by more, the larger side is shown with its sign. */
#define LOPSIDED 2

/* In the cells that "99.9" has. */
FORMAT(format_error)
{
    double error = error_of(row);
    double below = row->share.value - row->share.low, above = row->share.high - row->share.value;

    UNUSED(scale), UNUSED(width);
    if (error < 0 || 100 * error < 0.05 || fmin(below, above) * LOPSIDED >= error)
        percent(error, text, capacity);
    else
        snprintf(text, capacity, "%+.*f", 100 * error < 9.95 ? 1 : 0,
                 100 * (below > above ? -error : error));
}

FORMAT(format_recent)
{
    UNUSED(scale), UNUSED(width);
    percent(row->recent_share, text, capacity);
}

/* Hits a second. */
static void per_second(double rate, char *text, size_t capacity)
{
    if (rate < 0)
        snprintf(text, capacity, "-");
    else
        snprintf(text, capacity, "%.1f", rate);
}

FORMAT(format_rate)
{
    UNUSED(scale), UNUSED(width);
    per_second(row->rate, text, capacity);
}

FORMAT(format_mean)
{
    UNUSED(scale), UNUSED(width);
    per_second(row->mean, text, capacity);
}

FORMAT(format_cpu)
{
    UNUSED(scale), UNUSED(width);
    percent(row->cpu, text, capacity);
}

FORMAT(format_hits)
{
    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "%" PRIu64, row->hits);
}

/* The left end is drawn where a bar has none of its own. */
FORMAT(format_bar)
{
    double part = scale->top_share > 0 ? row->share.value / scale->top_share : 0;
    size_t edge = scale->utf8 ? 0 : 1;

    text[0] = '|';
    if (width >= edge)
        picture_bar(part, width - (unsigned)edge, scale->utf8, text + edge, capacity - edge);
}

/* Shares below this part of the largest one are not blown up to a full line. */
#define TREND_PART 10

FORMAT(format_trend)
{
    double shares[PAST_SECONDS];
    size_t count = 0;

    if (scale->past)
        count = view_past_series(scale->past, row, shares, PAST_SECONDS);
    picture_trend(shares, count, scale->top_share / TREND_PART, width, scale->utf8, text, capacity);
}

/* The scale: 0 above the bars' left end, the largest share above their right one. */
static void head_bar(const struct view_scale *scale, unsigned width, char *text, size_t capacity)
{
    snprintf(text, capacity, "0%*.1f", (int)width - 1, 100 * scale->top_share);
}

FORMAT(format_address)
{
    UNUSED(width);
    if (row->unplaced)
        snprintf(text, capacity, "?");
    else
        snprintf(text, capacity, "0x%0*" PRIx64, (int)(2 * scale->addr_size),
                 row->addr + row->shift);
}

FORMAT(format_function)
{
    if (row->function && row->twin && row->file)
        snprintf(text, capacity, "%s (%s)", row->function, path_base_name(row->file));
    else if (row->function)
        snprintf(text, capacity, "%s", row->function);
    else if (row->several && row->line)
        snprintf(text, capacity, "several functions");
    else
        format_address(row, scale, width, text, capacity);
}

FORMAT(format_caller)
{
    UNUSED(width);
    if (row->caller)
        snprintf(text, capacity, "%s", row->caller);
    else if (row->caller_addr)
        snprintf(text, capacity, "0x%0*" PRIx64, (int)(2 * scale->addr_size), row->caller_addr);
    else
        snprintf(text, capacity, "-");
}

FORMAT(format_file)
{
    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "%s", row->file ? row->file : "-");
}

FORMAT(format_line)
{
    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, row->line ? "%u" : "-", row->line);
}

FORMAT(format_location)
{
    UNUSED(scale), UNUSED(width);
    if (!row->file)
        snprintf(text, capacity, "-");
    else if (row->line == 0)
        snprintf(text, capacity, "%s", path_base_name(row->file));
    else
        snprintf(text, capacity, "%s:%u", path_base_name(row->file), row->line);
}

FORMAT(format_flags)
{
    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "%s%s", row->stale ? "s" : "", row->split ? "/" : "");
}

/* Numbers are ranked from the largest one down, names and addresses upwards. */
#define COMPARE_DOWN(name, value)                                       \
    static int name(const struct view_row *a, const struct view_row *b) \
    {                                                                   \
        return (value(b) > value(a)) - (value(b) < value(a));           \
    }
#define HITS(row)   ((row)->hits)
#define LOW(row)    ((row)->share.low)
#define HIGH(row)   ((row)->share.high)
#define RECENT(row) ((row)->recent)
#define MEAN(row)   ((row)->mean)
#define CPU(row)    ((row)->cpu)
#define STALE(row)  (2 * (row)->stale + (row)->split)
COMPARE_DOWN(compare_hits, HITS)
COMPARE_DOWN(compare_low, LOW)
COMPARE_DOWN(compare_high, HIGH)
COMPARE_DOWN(compare_error, error_of)
COMPARE_DOWN(compare_recent, RECENT)
COMPARE_DOWN(compare_flags, STALE)
COMPARE_DOWN(compare_mean, MEAN)
COMPARE_DOWN(compare_cpu, CPU)

static int compare_text(const char *a, const char *b)
{
    if (!a || !b)
        return (a == NULL) - (b == NULL);
    return strcmp(a, b);
}

static int compare_function(const struct view_row *a, const struct view_row *b)
{
    return compare_text(a->function, b->function);
}

static int compare_caller(const struct view_row *a, const struct view_row *b)
{
    return compare_text(a->caller, b->caller);
}

static int compare_file(const struct view_row *a, const struct view_row *b)
{
    return compare_text(a->file, b->file);
}

static int compare_line(const struct view_row *a, const struct view_row *b)
{
    int order = compare_file(a, b);

    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_address(const struct view_row *a, const struct view_row *b)
{
    return (a->addr > b->addr) - (a->addr < b->addr);
}

static const struct view_column columns[] = {
    {.name = "share",
     .title = "SHARE",
     .width = 6,
     .unit = "%",
     .right = true,
     .help = "part of the attributed hits since the target's last reset",
     .format = format_share,
     .value = value_share,
     .compare = compare_hits},
    {.name = "error",
     .title = "+/-",
     .width = 4,
     .unit = "%",
     .right = true,
     .help = "what the share may be off by: the larger side of its 95 % interval, with its sign "
             "where that is more than twice the other",
     .format = format_error,
     .value = value_error,
     .compare = compare_error},
    {.name = "low",
     .title = "LOW",
     .width = 5,
     .unit = "%",
     .right = true,
     .help = "lower end of the 95 % interval",
     .format = format_low,
     .value = value_low,
     .compare = compare_low},
    {.name = "high",
     .title = "HIGH",
     .width = 5,
     .unit = "%",
     .right = true,
     .help = "upper end of the 95 % interval",
     .format = format_high,
     .value = value_high,
     .compare = compare_high},
    {.name = "recent",
     .title = "NOW",
     .width = 5,
     .unit = "%",
     .right = true,
     .help = "part of the hits since the refresh before",
     .format = format_recent,
     .value = value_recent,
     .compare = compare_recent},
    {.name = "rate",
     .title = "RATE",
     .width = 8,
     .unit = "1/s",
     .right = true,
     .help = "hits a second since the refresh before",
     .format = format_rate,
     .value = value_rate,
     .compare = compare_recent},
    {.name = "mean",
     .title = "MEAN",
     .width = 8,
     .unit = "1/s",
     .right = true,
     .help = "hits a second since the start of the counts",
     .format = format_mean,
     .value = value_mean,
     .compare = compare_mean},
    {.name = "cpu",
     .title = "CPU",
     .width = 5,
     .unit = "%",
     .right = true,
     .help = "part of the time since the refresh before, of all cores: samples that did not come "
             "are in no row",
     .format = format_cpu,
     .value = value_cpu,
     .compare = compare_cpu},
    {.name = "hits",
     .title = "HITS",
     .width = 10,
     .unit = "hits",
     .right = true,
     .help = "hits since the target's last reset",
     .format = format_hits,
     .value = value_hits,
     .compare = compare_hits},
    {.name = "flags",
     .title = "!",
     .width = 2,
     .unit = "",
     .help = "s: some numbers are from an earlier refresh; /: a block was divided between rows",
     .format = format_flags,
     .value = value_flags,
     .compare = compare_flags},
    {.name = "bar",
     .title = "",
     .width = 0,
     .part = 3,
     .unit = "",
     .help = "the share as a bar",
     .format = format_bar,
     .heading = head_bar,
     .compare = compare_hits},
    {.name = "trend",
     .title = "LAST MINUTE",
     .width = 0,
     .part = 2,
     .unit = "",
     .help = "the share in each second of the last minute, on a live screen",
     .format = format_trend,
     .compare = compare_recent},
    {.name = "function",
     .title = "FUNCTION",
     .width = 0,
     .part = 4,
     .unit = "",
     .help = "name of the function, or the address",
     .format = format_function,
     .value = value_function,
     .upwards = true,
     .compare = compare_function},
    {.name = "caller",
     .title = "CALLED FROM",
     .width = 0,
     .part = 4,
     .unit = "",
     .help = "with --by arc, the function that calls, or the address",
     .format = format_caller,
     .value = value_caller,
     .upwards = true,
     .compare = compare_caller},
    {.name = "location",
     .title = "FILE:LINE",
     .width = 0,
     .part = 3,
     .unit = "",
     .help = "file without its folder, and line",
     .format = format_location,
     .value = value_location,
     .upwards = true,
     .compare = compare_line},
    {.name = "file",
     .title = "FILE",
     .width = 0,
     .part = 5,
     .unit = "",
     .help = "file as the compiler was given it",
     .format = format_file,
     .value = value_file,
     .upwards = true,
     .compare = compare_file},
    {.name = "line",
     .title = "LINE",
     .width = 6,
     .unit = "",
     .right = true,
     .help = "line in the file",
     .format = format_line,
     .value = value_line,
     .upwards = true,
     .compare = compare_line},
    {.name = "address",
     .title = "ADDRESS",
     .width = 18,
     .unit = "",
     .help = "where the row starts",
     .format = format_address,
     .value = value_address,
     .upwards = true,
     .compare = compare_address},
};

const struct view_column *view_columns(size_t *count)
{
    *count = sizeof(columns) / sizeof(columns[0]);
    return columns;
}

const struct view_column *view_column_find(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        if (strlen(columns[i].name) == len && memcmp(columns[i].name, name, len) == 0)
            return &columns[i];
    }
    return NULL;
}

const char *view_fields_default(enum view_by by)
{
    switch (by) {
    case VIEW_BY_LINE:
        return "share,error,recent,bar,location,function";
    case VIEW_BY_FILE:
        return "share,error,recent,bar,file";
    case VIEW_BY_ADDRESS:
        return "share,error,recent,bar,address,function";
    case VIEW_BY_ARC:
        return "share,error,recent,bar,caller,function";
    case VIEW_BY_FUNCTION:
    case VIEW_BY_INLINE:
    case VIEW_BY_CONTEXT:
        break;
    }
    return "share,error,recent,bar,function,location";
}

/* Behind the numbers, what a row is; and one word of that for narrow screens. */
#define SCREEN(most, least)                                         \
    {                                                               \
        "share," least, "share,error,recent,bar,trend," most,       \
            "share,error,recent,cpu,rate,mean,hits,bar,trend," most \
    }

#define WIDTH_NARROW 60
#define WIDTH_WIDE   120

const char *view_fields_screen(enum view_by by, unsigned width)
{
    static const char *const lists[][3] = {
        [VIEW_BY_FUNCTION] = SCREEN("function,location", "function"),
        [VIEW_BY_LINE] = SCREEN("location,function", "location"),
        [VIEW_BY_FILE] = SCREEN("file", "file"),
        [VIEW_BY_ADDRESS] = SCREEN("address,function", "address,function"),
        [VIEW_BY_ARC] = SCREEN("caller,function", "caller,function"),
    };
    size_t known = (size_t)by < sizeof(lists) / sizeof(lists[0]) ? by : VIEW_BY_FUNCTION;

    return lists[known][width < WIDTH_NARROW ? 0 : width < WIDTH_WIDE ? 1 : 2];
}

static void say_unknown(const char *name, size_t len, char *text, size_t capacity)
{
    int used = snprintf(text, capacity, "no field '%.*s'; there are:", (int)len, name);

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        if (used < 0 || (size_t)used >= capacity)
            return;
        used +=
            snprintf(text + used, capacity - (size_t)used, "%s %s", i ? "," : "", columns[i].name);
    }
}

bool view_fields_parse(const char *list, struct view_fields *fields, char *text, size_t capacity)
{
    struct view_fields taken = {.count = 0};

    for (const char *name = list;; name++) {
        size_t len = strcspn(name, ",");
        const struct view_column *column = view_column_find(name, len);
        if (!column) {
            say_unknown(name, len, text, capacity);
            return false;
        }
        if (taken.count == VIEW_FIELDS_MAX) {
            snprintf(text, capacity, "more than %d fields", VIEW_FIELDS_MAX);
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

void view_fields_drop(struct view_fields *fields, const struct view_column *column)
{
    size_t kept = 0;

    for (size_t i = 0; i < fields->count; i++) {
        if (fields->column[i] != column)
            fields->column[kept++] = fields->column[i];
    }
    fields->count = kept;
}

/* qsort has no context: the column stands beside each row while it is sorted. */
struct sortable {
    struct view_row row;
    const struct view_column *column;
};

static int compare_sortable(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    int order = x->column->compare(&x->row, &y->row);

    if (order == 0)
        order = compare_hits(&x->row, &y->row);
    return order ? order : compare_address(&x->row, &y->row);
}

void view_rows_sort(struct view_rows *rows, const struct view_column *column)
{
    struct sortable *all = calloc(rows->count ? rows->count : 1, sizeof(*all));

    if (!all)
        return;
    for (size_t i = 0; i < rows->count; i++)
        all[i] = (struct sortable){.row = rows->rows[i], .column = column};
    qsort(all, rows->count, sizeof(*all), compare_sortable);
    for (size_t i = 0; i < rows->count; i++)
        rows->rows[i] = all[i].row;
    free(all);
}
