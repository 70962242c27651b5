/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a diff's columns. */
#include <table/change_columns.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <base/path.h>
#include <table/interval.h>

#include "getters.h"

#define ROW const struct view_change *row = of

SHOW(show_change)
{
    ROW;
    const struct view_interval i = {.value = 100 * row->d.change,
                                    .low = 100 * row->d.change_low,
                                    .high = 100 * row->d.change_high,
                                    .decimals = 2,
                                    .is_signed = true};

    UNUSED(width);
    view_show_interval(&i, scale && scale->utf8, text, capacity);
}

void view_show_ratio(const struct diff_row *d, bool utf8, char *text, size_t capacity)
{
    const struct view_interval i = {.value = 100 * (d->ratio - 1),
                                    .low = 100 * (d->ratio_low - 1),
                                    .high = 100 * (d->ratio_high - 1),
                                    .decimals = 1,
                                    .is_signed = true,
                                    .unit = " %"};

    /* Few hits of a row may be missing by chance. */
    bool gone = d->state == DIFF_GONE && d->direction < 0;

    if (d->state == DIFF_NEW || gone)
        snprintf(text, capacity, "%s", gone ? "gone" : "new");
    else
        view_show_interval(&i, utf8, text, capacity);
}

SHOW(show_ratio)
{
    ROW;

    UNUSED(width);
    view_show_ratio(&row->d, scale && scale->utf8, text, capacity);
}

const char *view_verdict(const struct diff_row *d)
{
    return d->direction > 0 ? "more" : d->direction < 0 ? "less" : "";
}

GET(get_verdict)
{
    ROW;

    UNUSED(scale);
    value->kind = VIEW_VALUE_TEXT;
    value->text = view_verdict(&row->d);
}

static void get_number(double number, struct view_value *value)
{
    value->kind = isfinite(number) ? VIEW_VALUE_NUMBER : VIEW_VALUE_NONE;
    value->number = number;
}

void view_get_ratio(const struct diff_row *d, struct view_value *value)
{
    get_number(d->ratio - 1, value);
}

GET(get_change)
{
    ROW;

    UNUSED(scale);
    view_get_ratio(&row->d, value);
}

GET(get_base_us)
{
    ROW;

    UNUSED(scale);
    get_number(1e6 * row->d.base_figure, value);
}

GET(get_new_us)
{
    ROW;

    UNUSED(scale);
    get_number(1e6 * row->d.new_figure, value);
}

/* As the change in percent. */
static void show_end(double ratio, char *text, size_t capacity)
{
    if (isnan(ratio))
        snprintf(text, capacity, "-");
    else
        view_show_signed(100 * (ratio - 1), 2, text, capacity);
}

SHOW(show_ratio_low)
{
    ROW;

    UNUSED(scale), UNUSED(width);
    show_end(row->d.ratio_low, text, capacity);
}

SHOW(show_ratio_high)
{
    ROW;

    UNUSED(scale), UNUSED(width);
    show_end(row->d.ratio_high, text, capacity);
}

/* What became of a row; rows are sorted by it, the last one first. */
enum fate { FATE_NONE, FATE_GONE, FATE_MOVED, FATE_NEW, FATE_RENAMED };

static enum fate fate_of(const struct view_change *row)
{
    if (row->d.state == DIFF_NEW)
        return FATE_NEW;
    if (row->d.state == DIFF_GONE)
        return FATE_GONE;
    if (row->old_name)
        return FATE_RENAMED;
    return row->old_file ? FATE_MOVED : FATE_NONE;
}

static const char *state_of(const struct view_change *row)
{
    static const char *const words[] = {[FATE_NONE] = "",
                                        [FATE_GONE] = "gone",
                                        [FATE_MOVED] = "moved",
                                        [FATE_NEW] = "new",
                                        [FATE_RENAMED] = "renamed"};

    return words[fate_of(row)];
}

GET(get_state)
{
    UNUSED(scale);
    value->kind = VIEW_VALUE_TEXT;
    value->text = state_of(of);
}

GET(get_state_word)
{
    const char *state = state_of(of);

    UNUSED(scale);
    value->kind = VIEW_VALUE_TEXT;
    value->text = state[0] ? state : "both";
}

GET(get_impact)
{
    ROW;

    UNUSED(scale);
    get_number(fabs(row->d.change), value);
}

SHOW(show_function)
{
    ROW;
    char name[400];

    UNUSED(scale), UNUSED(width);
    view_change_name(row, VIEW_BY_FUNCTION, name, sizeof(name));
    if (row->old_name)
        snprintf(text, capacity, "%s (was %s)", name, row->old_name);
    else if (row->old_file)
        snprintf(text, capacity, "%s (was in %s)", name, path_base_name(row->old_file));
    else
        snprintf(text, capacity, "%s", name);
}

GET(get_caller)
{
    ROW;

    UNUSED(scale);
    get_name_or_address(row->caller, row->caller_addr, value);
}

GET(get_caller_address)
{
    ROW;

    UNUSED(scale);
    value->kind = row->caller_addr ? VIEW_VALUE_ADDRESS : VIEW_VALUE_NONE;
    value->address = row->caller_addr;
}

GET(get_location)
{
    ROW;

    UNUSED(scale);
    get_place(row->file, row->line, value);
}

GET(get_address)
{
    ROW;

    UNUSED(scale);
    value->kind = row->placed ? VIEW_VALUE_ADDRESS : VIEW_VALUE_NONE;
    value->address = row->addr;
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

/* What is new has changed most. */
static int compare_ratio(const void *left, const void *right)
{
    const struct view_change *a = left, *b = right;

    return order_down(a->d.ratio, b->d.ratio);
}

/* What matters: significant rows by the size of the change, then the others. */
static int compare_impact(const void *left, const void *right)
{
    const struct view_change *a = left, *b = right;

    if (a->d.significant != b->d.significant)
        return a->d.significant ? -1 : 1;
    return order_down(fabs(a->d.change), fabs(b->d.change));
}

static int compare_state(const void *a, const void *b)
{
    return (int)fate_of(b) - (int)fate_of(a);
}

static int compare_line(const void *left, const void *right)
{
    const struct view_change *a = left, *b = right;
    int order = order_text(a->file, b->file);

    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_rest(const void *left, const void *right)
{
    const struct view_change *a = left, *b = right;
    int order = compare_impact(a, b);

    if (order == 0)
        order = order_down(a->d.base_share + a->d.new_share, b->d.base_share + b->d.new_share);
    if (order == 0)
        order = order_text(a->function, b->function);
    if (order == 0)
        order = compare_line(a, b);
    return order ? order : (a->addr > b->addr) - (a->addr < b->addr);
}

#define AT(member, member_type) .at = VIEW_AT(struct view_change, member, member_type)
#define GOT(what, by)           .type = what, .get = by
#define FLAG(member)            .type = COLUMN_FLAG, AT(member, bool)
#define PERCENT(member)         .type = COLUMN_SHARE, .decimals = 2, AT(member, double)
#define RATIO(member)           .type = COLUMN_NUMBER, AT(member, double)
#define HITS(member)            .type = COLUMN_COUNT, AT(member, uint64_t)
#define TIME(member)            .type = COLUMN_NUMBER, .decimals = 2, AT(member, double)
#define P(member)               .type = COLUMN_P, .decimals = 4, AT(member, double)
#define TEXT(member)            .type = COLUMN_TEXT, AT(member, const char *)
#define LINE(member)            .type = COLUMN_LINE, AT(member, unsigned)

static const struct view_column columns[] = {
    {GOT(COLUMN_TEXT, get_verdict), .name = "verdict", .title = "", .width = 4, .unknown = "",
     .compare = compare_impact, .help = "more or less: it changed; empty: no evidence of that"},
    {FLAG(d.significant), .name = "significant", .title = "", .width = 1, .compare = compare_impact,
     .help = "*: more or less"},
    {GOT(COLUMN_SHARE, get_impact), .name = "impact", .title = "IMPACT", .width = 6, .decimals = 2,
     .compare = compare_impact,
     .help = "size of the change in percentage points; sorts marked rows first"},
    {GOT(COLUMN_TEXT, get_state), .name = "state", .title = "STATE", .width = 7,
     .compare = compare_state, .help = "new, gone, renamed or moved (a guess)"},
    {PERCENT(d.base_figure), .name = "base", .title = "BASE %", .width = 6,
     .help = "percent of the time of base, or of its hits, by --per"},
    {PERCENT(d.new_figure), .name = "new", .title = "NEW %", .now = "NOW %", .width = 6,
     .help = "the same in new; with the median, as if the rows that agree had not changed"},
    {GOT(COLUMN_NUMBER, get_base_us), .name = "base_us", .title = "BASE US", .width = 8,
     .decimals = 2, .help = "microseconds an iteration in base, with --per iteration"},
    {GOT(COLUMN_NUMBER, get_new_us), .name = "new_us", .title = "NEW US", .now = "NOW US",
     .width = 8, .decimals = 2, .help = "microseconds an iteration in new"},
    {RATIO(d.base_figure), .name = "base_rate", .title = "BASE /", .width = 8,
     .help = "calls a second or an iteration in base"},
    {RATIO(d.new_figure), .name = "new_rate", .title = "NEW /", .now = "NOW /", .width = 8,
     .help = "calls a second or an iteration in new"},
    {PERCENT(d.base_share), .name = "base_share", .title = "BASE%", .width = 6,
     .help = "share of all hits in base"},
    {PERCENT(d.new_share), .name = "new_share", .title = "NEW%", .now = "NOW%", .width = 6,
     .help = "share of all hits in new"},
    {PERCENT(d.share_change), .name = "share_change", .title = "RAW PP", .width = 7,
     .flags = COLUMN_SIGNED, .help = "new share minus base share; depends on all rows"},
    {PERCENT(d.change), .name = "delta", .title = "CHANGE PP [95 %]", .brief = "CHANGE PP",
     .width = 22, .flags = COLUMN_SIGNED | COLUMN_INTERVAL, .show = show_change,
     .help = "change of the row in percentage points of base's total"},
    {PERCENT(d.change_low), .name = "low", .title = "LOW", .width = 7, .flags = COLUMN_SIGNED,
     .help = "lower end of its 95 % interval"},
    {PERCENT(d.change_high), .name = "high", .title = "HIGH", .width = 7, .flags = COLUMN_SIGNED,
     .help = "upper end of its 95 % interval"},
    {GOT(COLUMN_SHARE, get_change), .name = "change", .title = "CHANGE [95 %]", .brief = "CHANGE",
     .width = 25, .flags = COLUMN_INTERVAL, .show = show_ratio, .compare = compare_ratio,
     .help = "new over base, in percent more or less"},
    {RATIO(d.ratio), .name = "ratio", .title = "RATIO", .width = 8, .compare = compare_ratio,
     .help = "new over base; 1: unchanged"},
    {RATIO(d.ratio_low), .name = "ratio_low", .title = "LOW", .width = 7, .show = show_ratio_low,
     .help = "lower end of its 95 % interval"},
    {RATIO(d.ratio_high), .name = "ratio_high", .title = "HIGH", .width = 7,
     .show = show_ratio_high, .help = "upper end of its 95 % interval"},
    {P(d.p), .name = "p", .title = "P", .width = 7,
     .help = "probability of such a difference by chance alone"},
    {P(d.adjusted), .name = "adjusted", .title = "P(ALL)", .width = 7,
     .help = "p adjusted for all rows; marked if at most --fdr"},
    {HITS(d.base_hits), .name = "base_hits", .title = "BASE HITS", .width = 10,
     .help = "hits in base"},
    {HITS(d.new_hits), .name = "new_hits", .title = "NEW HITS", .now = "NOW HITS", .width = 10,
     .help = "hits in new"},
    {TIME(time[VIEW_BASE]), .name = "base_time", .title = "BASE MS/S", .width = 9,
     .help = "CPU milliseconds per second in base"},
    {TIME(time[VIEW_NEW]), .name = "new_time", .title = "NEW MS/S", .now = "NOW MS/S", .width = 9,
     .help = "CPU milliseconds per second in new"},
    {PERCENT(d.noise), .name = "noise", .title = "NOISE%", .width = 6,
     .help = "standard deviation between runs, in percent"},
    {TEXT(function), .name = "function", .title = "FUNCTION", .part = 4, .show = show_function,
     .help = "name of the function"},
    {TEXT(old_name), .name = "old_name", .title = "WAS", .part = 3, .unknown = "",
     .help = "name in base, if renamed"},
    {TEXT(old_file), .name = "old_file", .title = "WAS IN", .part = 3, .unknown = "",
     .help = "file in base, if moved"},
    {GOT(COLUMN_TEXT, get_caller), .name = "caller", .title = "CALLED FROM", .part = 4,
     .help = "caller, with --by arc"},
    {GOT(COLUMN_TEXT, get_location), .name = "location", .title = "FILE:LINE", .part = 3,
     .compare = compare_line, .help = "file name and line"},
    {TEXT(file), .name = "file", .title = "FILE", .part = 5,
     .help = "file as given to the compiler"},
    {LINE(line), .name = "line", .title = "LINE", .width = 6, .compare = compare_line,
     .help = "line number"},
    {GOT(COLUMN_ADDRESS, get_address), .name = "address", .title = "ADDRESS", .width = 18,
     .help = "start address of the row"},
};
_Static_assert(sizeof(columns) / sizeof(columns[0]) <= VIEW_FIELDS_MAX, "all can be shown");

/* For JSON alone. */
static const struct view_column hidden[] = {
    {GOT(COLUMN_TEXT, get_state_word), .name = "state_word", .key = "state"},
    {TEXT(caller), .name = "caller_name", .key = "caller"},
    {FLAG(idle), .name = "idle"},
    {GOT(COLUMN_ADDRESS, get_caller_address), .name = "caller_address"},
};

const struct view_columns view_change_columns = {
    .column = columns,
    .count = sizeof(columns) / sizeof(columns[0]),
    .hidden = hidden,
    .hidden_count = sizeof(hidden) / sizeof(hidden[0]),
};

static bool are_microseconds(const struct view_changes *c)
{
    return !c->options.exact && c->sides[VIEW_BASE].sample_hz > 0 &&
           c->sides[VIEW_NEW].sample_hz > 0;
}

const char *view_change_figures(const struct view_changes *c)
{
    if (c->whole.per == DIFF_PER_ITERATION)
        return are_microseconds(c) ? "base_us,new_us" : "base_rate,new_rate";
    return c->whole.per == DIFF_PER_SECOND && c->options.exact ? "base_rate,new_rate" : "base,new";
}

const char *view_change_places(enum view_by by)
{
    switch (by) {
    case VIEW_BY_LINE:
        return "location,function";
    case VIEW_BY_FILE:
        return "file";
    case VIEW_BY_ADDRESS:
        return "address,function";
    case VIEW_BY_ARC:
        return "caller,function";
    case VIEW_BY_FUNCTION:
    case VIEW_BY_INLINE:
    case VIEW_BY_TOTAL:
    case VIEW_BY_CONTEXT:
        break;
    }
    return "function,location";
}

/* Rows that only runs have which are not compared. */
static void drop_empty(struct view_changes *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++) {
        if (c->rows[i].d.state != DIFF_EMPTY)
            c->rows[kept++] = c->rows[i];
    }
    c->count = kept;
}

void view_changes_sort(struct view_changes *changes, const struct view_column *column)
{
    drop_empty(changes);
    view_sort(changes->rows, changes->count, sizeof(*changes->rows), column ? column : columns,
              compare_rest);
}
