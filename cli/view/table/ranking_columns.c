/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a ranking's columns. */
#include <table/ranking_columns.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <base/path.h>
#include <table/interval.h>
#include <table/pictures.h>

#include "getters.h"

#define ROW const struct view_row *row = of

/* The larger side of the interval: what the share may be off by; < 0: not known. */
static double error_of(const struct view_row *row)
{
    if (row->share.low < 0)
        return -1;
    return fmax(row->share.value - row->share.low, row->share.high - row->share.value);
}

GET(get_error)
{
    ROW;
    double error = error_of(row);

    UNUSED(scale);
    value->kind = error < 0 ? VIEW_VALUE_NONE : VIEW_VALUE_NUMBER;
    value->number = error;
}

static void head_error(const struct view_scale *scale, unsigned width, char *text, size_t capacity)
{
    UNUSED(width);
    snprintf(text, capacity, "%s", view_plus_minus(scale->utf8));
}

/* The left end is drawn where a bar has none of its own. */
SHOW(show_bar)
{
    ROW;
    double part = scale->top_share > 0 ? row->share.value / scale->top_share : 0;
    size_t edge = scale->utf8 ? 0 : 1;

    text[0] = '|';
    text[1] = '\0';
    if (width >= edge)
        picture_bar(part, width - (unsigned)edge, scale->utf8, text + edge, capacity - edge);
}

/* The scale: 0 above the bars' left end, the largest share above their right one. */
static void head_bar(const struct view_scale *scale, unsigned width, char *text, size_t capacity)
{
    snprintf(text, capacity, "0%*.1f", (int)width - 1, 100 * scale->top_share);
}

/* Shares below this part of the largest one are not blown up to a full line. */
#define TREND_PART 10

SHOW(show_trend)
{
    double shares[RECENT_WINDOW_SECONDS];
    size_t count = 0;

    if (scale->sparklines)
        count = sparklines_series(scale->sparklines, of, shares, RECENT_WINDOW_SECONDS);
    picture_trend(shares, count, scale->top_share / TREND_PART, width, scale->utf8, text, capacity);
}

GET(get_address)
{
    ROW;

    UNUSED(scale);
    value->kind = row->unplaced ? VIEW_VALUE_NONE : VIEW_VALUE_ADDRESS;
    value->address = row->addr + row->shift;
}

SHOW(show_function)
{
    ROW;
    unsigned digits = scale ? 2 * scale->addr_size : 0;

    UNUSED(width);
    if (row->function && row->twin && row->file)
        snprintf(text, capacity, "%s (%s)", row->function, path_base_name(row->file));
    else if (row->function)
        snprintf(text, capacity, "%s", row->function);
    else if (row->several && row->line)
        snprintf(text, capacity, "several functions");
    else if (row->unplaced)
        snprintf(text, capacity, "?");
    else
        snprintf(text, capacity, "0x%0*" PRIx64, (int)digits, row->addr + row->shift);
}

/* Where its name is not known, the address. */
GET(get_caller)
{
    ROW;

    UNUSED(scale);
    get_name_or_address(row->caller, row->caller_addr, value);
}

/* It is 0 where it is 0 of a function that has a name. */
GET(get_caller_address)
{
    ROW;

    UNUSED(scale);
    value->kind = row->caller || row->caller_addr ? VIEW_VALUE_ADDRESS : VIEW_VALUE_NONE;
    value->address = row->caller_addr;
}

/* "crc.c:24-27" */
static void get_lines(const struct view_lines *lines, struct view_value *value)
{
    const char *name = path_base_name(lines->file), *more = lines->more ? " ..." : "";

    if (lines->last > lines->first)
        snprintf(value->room, sizeof(value->room), "%s:%u-%u%s", name, lines->first, lines->last,
                 more);
    else
        snprintf(value->room, sizeof(value->room), "%s:%u%s", name, lines->first, more);
    value->kind = VIEW_VALUE_TEXT;
    value->text = value->room;
}

GET(get_location)
{
    ROW;

    UNUSED(scale);
    if (row->lines.file)
        get_lines(&row->lines, value);
    else
        get_place(row->file, row->line, value);
}

GET(get_flags)
{
    ROW;

    UNUSED(scale);
    snprintf(value->room, sizeof(value->room), "%s%s", row->stale ? "s" : "",
             row->split ? "/" : "");
    value->kind = VIEW_VALUE_TEXT;
    value->text = value->room;
}

GET(get_context)
{
    ROW;

    value->kind = scale && scale->of && scale->of->marked ? VIEW_VALUE_TEXT : VIEW_VALUE_NONE;
    value->text = view_context_name(row->context);
}

GET(get_late)
{
    ROW;

    value->kind = scale && scale->of && scale->of->late ? VIEW_VALUE_COUNT : VIEW_VALUE_NONE;
    value->count = row->late;
}

GET(get_exception)
{
    ROW;

    UNUSED(scale);
    value->kind = row->exception < PROFILE_TASK_FIRST ? VIEW_VALUE_COUNT : VIEW_VALUE_NONE;
    value->count = row->exception;
}

GET(get_task)
{
    ROW;

    UNUSED(scale);
    bool known = row->task && row->task->has_word;
    value->kind = known ? VIEW_VALUE_TEXT : VIEW_VALUE_NONE;
    value->text = value->room;
    if (known)
        snprintf(value->room, sizeof(value->room), "0x%08" PRIx64, row->task->word);
}

GET(get_stack_free)
{
    ROW;

    UNUSED(scale);
    value->kind = row->task && row->task->stack_known ? VIEW_VALUE_COUNT : VIEW_VALUE_NONE;
    value->count = row->task ? row->task->stack_free : 0;
}

GET(get_stack_size)
{
    ROW;

    UNUSED(scale);
    bool known = row->task && row->task->stack_known && row->task->stack_size != 0;
    value->kind = known ? VIEW_VALUE_COUNT : VIEW_VALUE_NONE;
    value->count = row->task ? row->task->stack_size : 0;
}

GET(get_time)
{
    UNUSED(of);
    value->kind = !scale || scale->time_s < 0 ? VIEW_VALUE_NONE : VIEW_VALUE_NUMBER;
    value->number = scale ? scale->time_s : -1;
}

#define COMPARE(name) static int name(const void *left, const void *right)
#define DOWN(member)                             \
    const struct view_row *a = left, *b = right; \
    return (b->member > a->member) - (b->member < a->member)

COMPARE(compare_hits)
{
    DOWN(hits);
}

/* A share may have more than the row's hits: of those without a row, by their place. */
COMPARE(compare_share)
{
    DOWN(share.value);
}

COMPARE(compare_recent)
{
    DOWN(recent);
}

COMPARE(compare_flags)
{
    const struct view_row *a = left, *b = right;

    return 2 * (b->stale - a->stale) + (b->split - a->split);
}

COMPARE(compare_line)
{
    const struct view_row *a = left, *b = right;
    int order = !a->file || !b->file ? !a->file - !b->file : strcmp(a->file, b->file);

    return order ? order : (a->line > b->line) - (a->line < b->line);
}

COMPARE(compare_rest)
{
    const struct view_row *a = left, *b = right;
    int order = compare_hits(a, b);

    if (order == 0)
        order = (b->most > a->most) - (b->most < a->most);
    return order ? order : (a->addr > b->addr) - (a->addr < b->addr);
}

#define AT(member, member_type) .at = VIEW_AT(struct view_row, member, member_type)
#define GOT(what, by)           .type = what, .get = by
#define DRAWN(what, by)         .type = what, .show = by
#define PERCENT(member)         .type = COLUMN_SHARE, .decimals = 1, AT(member, double)
#define RATE(member)            .type = COLUMN_NUMBER, .decimals = 1, AT(member, double)
#define COUNT(member)           .type = COLUMN_COUNT, AT(member, uint64_t)
#define TEXT(member)            .type = COLUMN_TEXT, AT(member, const char *)
#define LINE(member)            .type = COLUMN_LINE, AT(member, unsigned)
#define FLAG(member)            .type = COLUMN_FLAG, AT(member, bool)

const struct view_column view_time_column = {GOT(COLUMN_NUMBER, get_time), .name = "time"};

static const struct view_column columns[] = {
    {PERCENT(share.value), .name = "share", .title = "SHARE", .width = 6, .flags = COLUMN_HEAT,
     .compare = compare_share, .help = "share of the hits since the target's last reset"},
    {GOT(COLUMN_SHARE, get_error), .name = "error", .title = "+/-", .width = 4, .decimals = 1,
     .heading = head_error, .help = "error of the share: larger side of its 95 % interval"},
    {PERCENT(share.low), .name = "low", .title = "LOW", .width = 5,
     .help = "lower end of the 95 % interval"},
    {PERCENT(share.high), .name = "high", .title = "HIGH", .width = 5,
     .help = "upper end of the 95 % interval"},
    {PERCENT(recent_share), .name = "recent", .title = "NOW", .width = 5, .flags = COLUMN_LIVE,
     .compare = compare_recent, .help = "share of the hits since the previous refresh"},
    {RATE(rate), .name = "rate", .title = "RATE", .width = 8, .drop = 2, .compare = compare_recent,
     .help = "hits per second since the previous refresh"},
    {RATE(mean), .name = "mean", .title = "MEAN", .width = 8, .drop = 1,
     .help = "hits per second since counting started"},
    {PERCENT(cpu), .name = "cpu", .title = "CPU", .width = 5, .drop = 4,
     .help = "share of the CPU time since the previous refresh"},
    {COUNT(hits), .name = "hits", .title = "HITS", .width = 10, .drop = 3,
     .help = "hits since the target's last reset"},
    {GOT(COLUMN_FLAG, get_flags), .name = "flags", .title = "!", .width = 2,
     .compare = compare_flags,
     .help = "s: partly from an earlier refresh; /: shares a block of code"},
    {GOT(COLUMN_COUNT, get_stack_free), .name = "stack_free", .title = "STACK FREE",
     .brief = "FREE", .width = 10, .drop = 7,
     .help = "bytes of the task's stack that were never used, with --by context"},
    {GOT(COLUMN_COUNT, get_stack_size), .name = "stack_size", .title = "STACK SIZE",
     .brief = "STACK", .width = 10, .drop = 7,
     .help = "bytes of the task's stack, with --by context"},
    {DRAWN(COLUMN_BAR, show_bar), .name = "bar", .title = "", .part = 3, .drop = 6,
     .heading = head_bar, .compare = compare_share, .help = "the share as a bar"},
    {DRAWN(COLUMN_TREND, show_trend), .name = "trend", .title = "LAST MINUTE", .brief = "MINUTE",
     .part = 2, .drop = 5, .flags = COLUMN_LIVE, .compare = compare_recent,
     .help = "share in each second of the last minute (live screen)"},
    {TEXT(function), .name = "function", .title = "FUNCTION", .part = 4, .show = show_function,
     .help = "name of the function, or the address"},
    {GOT(COLUMN_TEXT, get_caller), .name = "caller", .title = "CALLED FROM", .part = 4,
     .help = "caller, with --by arc"},
    {GOT(COLUMN_TEXT, get_location), .name = "location", .title = "FILE:LINE", .part = 3,
     .compare = compare_line, .help = "file name and line"},
    {TEXT(file), .name = "file", .title = "FILE", .part = 5,
     .help = "file as given to the compiler"},
    {LINE(line), .name = "line", .title = "LINE", .width = 6, .compare = compare_line,
     .help = "line number"},
    {GOT(COLUMN_ADDRESS, get_address), .name = "address", .title = "ADDRESS", .width = 18,
     .unknown = "?", .help = "start address of the row"},
};
_Static_assert(sizeof(columns) / sizeof(columns[0]) <= VIEW_FIELDS_MAX, "all can be shown");

/* For JSON alone. */
static const struct view_column hidden[] = {
    {FLAG(stale), .name = "stale"},
    {GOT(COLUMN_TEXT, get_context), .name = "context"},
    {GOT(COLUMN_COUNT, get_late), .name = "late"},
    {GOT(COLUMN_COUNT, get_exception), .name = "exception"},
    {GOT(COLUMN_TEXT, get_task), .name = "task"},
    {TEXT(caller), .name = "caller_name", .key = "caller"},
    {GOT(COLUMN_ADDRESS, get_caller_address), .name = "caller_address"},
};

const struct view_columns view_ranking_columns = {
    .column = columns,
    .count = sizeof(columns) / sizeof(columns[0]),
    .hidden = hidden,
    .hidden_count = sizeof(hidden) / sizeof(hidden[0]),
};

const char *view_fields_default(enum view_by by)
{
    switch (by) {
    case VIEW_BY_LINE: /* two lines that share a block have the same range */
        return "share,low,high,recent,bar,location,function";
    case VIEW_BY_FILE:
        return "share,error,recent,bar,file";
    case VIEW_BY_ADDRESS:
        return "share,error,recent,bar,address,function";
    case VIEW_BY_ARC:
        return "share,error,recent,bar,caller,function";
    case VIEW_BY_FUNCTION:
    case VIEW_BY_INLINE:
    case VIEW_BY_TOTAL:
    case VIEW_BY_CONTEXT:
        break;
    }
    return "share,error,recent,bar,function,location";
}

/* Behind the numbers, what a row is; and one word of that for narrow screens. */
#define SCREEN_OF(narrow, error, most)                                  \
    {                                                                   \
        "share," narrow, "share," error ",recent,bar,trend," most,      \
            "share," error ",recent,cpu,rate,mean,hits,bar,trend," most \
    }
#define SCREEN(most, least) SCREEN_OF(least, "error", most)

#define WIDTH_NARROW 60
#define WIDTH_WIDE   120

const char *view_fields_screen(enum view_by by, unsigned width)
{
    static const char *const lists[][3] = {
        [VIEW_BY_FUNCTION] = SCREEN("function,location", "function"),
        [VIEW_BY_LINE] = SCREEN_OF("high,location", "low,high", "location,function"),
        [VIEW_BY_FILE] = SCREEN("file", "file"),
        [VIEW_BY_ADDRESS] = SCREEN("address,function", "address,function"),
        [VIEW_BY_ARC] = SCREEN("caller,function", "caller,function"),
        [VIEW_BY_CONTEXT] = {"share,function", "share,error,recent,bar,trend,function,location",
                             "share,error,recent,cpu,rate,mean,hits,stack_free,bar,trend,function,"
                             "location"},
    };
    size_t known = (size_t)by < sizeof(lists) / sizeof(lists[0]) ? by : VIEW_BY_FUNCTION;

    return lists[known][width < WIDTH_NARROW ? 0 : width < WIDTH_WIDE ? 1 : 2];
}

void view_rows_sort(struct view_rows *rows, const struct view_column *column)
{
    view_sort(rows->rows, rows->count, sizeof(*rows->rows), column ? column : &columns[0],
              compare_rest);
}
