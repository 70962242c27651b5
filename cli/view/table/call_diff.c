/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two traces compared, for people and for programs. */
#include <table/call_diff.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ranking/build.h>
#include <table/json_parts.h>
#include <table/time.h>

#include "getters.h"

/* A row with its values; the first members are those of the function. */
struct row {
    const char *name, *file, *verdict; /* NULL: not known; verdict "new", "gone" */
    unsigned line;
    uint64_t addr;
    double values[CALL_VALUES][TRACE_SIDES];
    char cells[CALL_VALUES][80]; /* "10.25 us > 12.00 us" */
};

#define ROW ((const struct row *)of)

GET(get_function)
{
    UNUSED(scale);
    get_name_or_address(ROW->name, ROW->addr, value);
}

GET(get_where)
{
    UNUSED(scale);
    get_place(ROW->file, ROW->line, value);
}

/* How much a value has changed, < 0: not known. */
static double change_of(const struct row *row, enum view_call_value value)
{
    const double *values = row->values[value];

    if (values[TRACE_SIDE_BASE] < 0 || values[TRACE_SIDE_NEW] < 0)
        return -1;
    return fabs(values[TRACE_SIDE_NEW] - values[TRACE_SIDE_BASE]);
}

static int compare_changes(const void *a, const void *b, enum view_call_value value)
{
    double x = change_of(a, value), y = change_of(b, value);

    return (y > x) - (y < x);
}

#define CELL(member, index)                                                            \
    static int compare_##member(const void *a, const void *b)                          \
    {                                                                                  \
        return compare_changes(a, b, index);                                           \
    }                                                                                  \
    GET(get_##member##_cell)                                                           \
    {                                                                                  \
        UNUSED(scale);                                                                 \
        value->kind = VIEW_VALUE_TEXT;                                                 \
        value->text = ROW->cells[index];                                               \
    }                                                                                  \
    static void take_##member(const void *of, unsigned side, struct view_value *value) \
    {                                                                                  \
        double number = ROW->values[index][side];                                      \
        if (number < 0)                                                                \
            return;                                                                    \
        value->kind = VIEW_VALUE_NUMBER;                                               \
        value->number = number;                                                        \
    }                                                                                  \
    GET(get_base_##member)                                                             \
    {                                                                                  \
        UNUSED(scale);                                                                 \
        take_##member(of, TRACE_SIDE_BASE, value);                                     \
    }                                                                                  \
    GET(get_new_##member)                                                              \
    {                                                                                  \
        UNUSED(scale);                                                                 \
        take_##member(of, TRACE_SIDE_NEW, value);                                      \
    }

CELL(calls, CALL_VALUE_CALLS)
CELL(total, CALL_VALUE_TOTAL)
CELL(self, CALL_VALUE_SELF)
CELL(median, CALL_VALUE_MEDIAN)
CELL(p99, CALL_VALUE_P99)
CELL(max, CALL_VALUE_MAX)
CELL(avg, CALL_VALUE_AVG)

#define NUMBERS(member)                                                           \
    {.type = COLUMN_NUMBER,                                                       \
     .name = "base_" #member,                                                     \
     .help = #member " in base",                                                  \
     .get = get_base_##member},                                                   \
    {                                                                             \
        .type = COLUMN_NUMBER, .name = "new_" #member, .help = #member " in new", \
        .get = get_new_##member                                                   \
    }
#define BOTH(member, ...)                                                 \
    {                                                                     \
        .type = COLUMN_TEXT, .name = #member, .get = get_##member##_cell, \
        .compare = compare_##member, __VA_ARGS__                          \
    }
#define AT(member, member_type) .at = VIEW_AT(struct row, member, member_type)

static const struct view_column columns[] = {
    BOTH(median, .title = "MEDIAN",
         .help = "median duration of a call, base > new; sorted by the change"),
    BOTH(p99, .title = "99 %", .help = "duration that 99 % of the calls do not exceed", .drop = 3),
    BOTH(max, .title = "MAX", .help = "longest call"),
    BOTH(avg, .title = "AVG", .help = "mean duration"),
    BOTH(self, .title = "SELF",
         .help = "share of the time without the traced functions that it called", .drop = 2),
    BOTH(total, .title = "TOTAL", .help = "share of the time from entries to exits", .drop = 1),
    BOTH(calls, .title = "CALLS", .help = "calls a second", .drop = 4),
    NUMBERS(calls),
    NUMBERS(total),
    NUMBERS(self),
    NUMBERS(median),
    NUMBERS(p99),
    NUMBERS(max),
    NUMBERS(avg),
    {.type = COLUMN_TEXT,
     AT(verdict, const char *),
     .name = "verdict",
     .title = "",
     .help = "\"new\" or \"gone\"",
     .unknown = ""},
    {.type = COLUMN_TEXT,
     AT(name, const char *),
     .name = "function",
     .title = "FUNCTION",
     .help = "function",
     .get = get_function},
    {.type = COLUMN_TEXT,
     AT(name, const char *),
     .name = "name",
     .key = "function",
     .help = "function, if it has a name"},
    {.type = COLUMN_TEXT,
     AT(file, const char *),
     .name = "where",
     .title = "WHERE",
     .help = "source file and line of the function",
     .get = get_where,
     .drop = 5},
    {.type = COLUMN_TEXT,
     AT(file, const char *),
     .name = "file",
     .help = "source file of the function"},
    {.type = COLUMN_LINE, AT(line, unsigned), .name = "line", .help = "its first line there"},
};

const struct view_columns view_call_diff_columns = {.column = columns,
                                                    .count = sizeof(columns) / sizeof(columns[0])};

#define FIELDS_TIMED "median,p99,max,self,total,calls,verdict,function,where"
#define FIELDS_CALLS "calls,verdict,function,where"

/* The keys are a contract. */
#define FIELDS_REST                                                                   \
    "file,line,verdict,base_calls,new_calls,base_total,new_total,base_self,new_self," \
    "base_median,new_median,base_p99,new_p99,base_max,new_max,base_avg,new_avg"
#define FIELDS_JSON "name," FIELDS_REST
#define FIELDS_CSV  "function," FIELDS_REST

static bool is_per_second(enum view_call_value value)
{
    return value == CALL_VALUE_CALLS || value == CALL_VALUE_TOTAL || value == CALL_VALUE_SELF;
}

/* Whether sums are of a second of the recording: on both sides or on none. */
static bool has_lengths(const struct view_call_diff *d)
{
    return d->sides[TRACE_SIDE_BASE].seconds > 0 && d->sides[TRACE_SIDE_NEW].seconds > 0;
}

static double number_of(const struct trace_call_row *row, enum view_call_value value)
{
    switch (value) {
    case CALL_VALUE_CALLS:
        return (double)row->calls;
    case CALL_VALUE_TOTAL:
        return row->total;
    case CALL_VALUE_SELF:
        return row->self;
    case CALL_VALUE_MEDIAN:
        return row->median;
    case CALL_VALUE_P99:
        return row->p99;
    case CALL_VALUE_MAX:
        return row->max;
    case CALL_VALUE_AVG:
        return row->avg;
    case CALL_VALUES:
        break;
    }
    return -1;
}

double view_call_value(const struct view_call_diff *diff, const struct trace_diff_row *row,
                       enum trace_side_index side, enum view_call_value value)
{
    bool time = value != CALL_VALUE_CALLS;
    double number = row->of[side] ? number_of(row->of[side], value) : is_per_second(value) ? 0 : -1;

    if (number < 0 || (time && !trace_diff_is_timed(diff->sides)))
        return -1;
    return is_per_second(value) && has_lengths(diff) ? number / diff->sides[side].seconds : number;
}

bool view_call_value_has_unit(const struct view_call_diff *diff, enum view_call_value value)
{
    if (is_per_second(value) && !has_lengths(diff))
        return false;
    return value == CALL_VALUE_CALLS || diff->sides[TRACE_SIDE_NEW].state.seconds;
}

void view_call_value_show(const struct view_call_diff *diff, enum view_call_value value,
                          double number, char *text, size_t capacity)
{
    bool share = (value == CALL_VALUE_TOTAL || value == CALL_VALUE_SELF) && has_lengths(diff);

    if (number >= 0 && value == CALL_VALUE_CALLS)
        snprintf(text, capacity, "%.*f%s", has_lengths(diff) && number < 1000 ? 1 : 0, number,
                 has_lengths(diff) ? "/s" : "");
    else if (number >= 0 && share)
        snprintf(text, capacity, "%.2f %%", 100 * number);
    else
        view_duration(number, diff->sides[TRACE_SIDE_NEW].state.seconds, text, capacity);
}

static void make_row(const struct view_call_diff *d, const struct trace_diff_row *from,
                     struct row *row)
{
    const struct trace_call_row *base = from->of[TRACE_SIDE_BASE],
                                *new_one = from->of[TRACE_SIDE_NEW];
    const struct trace_call_row *f = new_one ? new_one : base;
    char texts[TRACE_SIDES][36];

    *row = (struct row){.name = f->name[0] ? f->name : NULL,
                        .file = f->file[0] ? f->file : NULL,
                        .line = f->line,
                        .addr = f->addr,
                        .verdict = !base      ? "new"
                                   : !new_one ? "gone"
                                              : NULL};
    for (int value = 0; value < CALL_VALUES; value++) {
        for (int side = 0; side < TRACE_SIDES; side++) {
            double number =
                view_call_value(d, from, (enum trace_side_index)side, (enum view_call_value)value);
            row->values[value][side] = number;
            view_call_value_show(d, (enum view_call_value)value, number, texts[side],
                                 sizeof(texts[side]));
        }
        snprintf(row->cells[value], sizeof(row->cells[value]), "%s > %s", texts[TRACE_SIDE_BASE],
                 texts[TRACE_SIDE_NEW]);
    }
}

static void add_side(const struct view_call_diff *d, int side, struct text *t)
{
    const struct trace_calls_state *s = &d->sides[side].state;

    text_printf(t, "%s  %s: %" PRIu64 " calls", side == TRACE_SIDE_BASE ? "base" : "new ",
                d->files[side], s->calls);
    if (d->sides[side].seconds > 0)
        text_printf(t, " in %.3f s", d->sides[side].seconds);
    text_printf(t, ", %" PRIu64 " events lost", s->lost);
    if (d->elves[side][0])
        text_printf(t, "; %s", d->elves[side]);
    if (d->builds[side][0])
        text_printf(t, ", build %.*s", view_build_len(d->builds[side]), d->builds[side]);
}

/* NULL: it has some. */
static const char *why_untimed(const struct trace_side *side)
{
    if (side->state.calls == 0)
        return "has no calls";
    if (side->state.exits == 0)
        return "has only entries";
    if (!side->state.timed)
        return "has events without times";
    return trace_side_has_durations(side) ? NULL : "has no call that begins and ends";
}

static void add_notes(const struct view_call_diff *d, struct text *t)
{
    const struct trace_side *base = &d->sides[TRACE_SIDE_BASE],
                            *new_one = &d->sides[TRACE_SIDE_NEW];
    const char *base_why = why_untimed(base), *new_why = why_untimed(new_one);

    text_printf(t, "two recordings: how far two of one build differ is not known\n");
    if (base_why)
        text_printf(t, "no durations: base %s\n", base_why);
    if (new_why)
        text_printf(t, "no durations: new %s\n", new_why);
    if (!base_why && !new_why && base->state.seconds != new_one->state.seconds)
        text_printf(t, "no durations: those of one side are seconds, of the other ticks\n");
    else if (!base_why && !new_why && !new_one->state.seconds)
        text_printf(t, "times are ticks of the target's clock\n");
    if (d->sides[TRACE_SIDE_BASE].state.rounded || d->sides[TRACE_SIDE_NEW].state.rounded)
        text_printf(t, "median and 99 %% of functions with many calls are within 0.8 %%\n");
    if (has_lengths(d))
        text_printf(t, "calls, self and total time are of a second of the recording\n");
    else
        text_printf(t, "calls are not per second: how long a recording took is not known\n");
}

static void add_about(const struct view_call_diff *d, bool markdown, struct text *to)
{
    for (int side = 0; side < TRACE_SIDES; side++) {
        struct text t = {.bytes = NULL};
        add_side(d, side, &t);
        text_add_shown(to, &t, markdown);
        text_printf(to, markdown ? "\n\n" : "\n");
    }
    add_notes(d, to);
    text_printf(to, "\n");
}

static json_t *side_object(const struct view_call_diff *d, int side)
{
    const struct trace_calls_state *s = &d->sides[side].state;
    double seconds = d->sides[side].seconds;

    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "file", json_text(d->files[side]),
                     "elf", json_text(d->elves[side]), "build", json_text(d->builds[side]), "unit",
                     json_text(!s->timed    ? NULL
                               : s->seconds ? "seconds"
                                            : "ticks"),
                     "calls", (json_int_t)s->calls, "exits", (json_int_t)s->exits, "lost",
                     (json_int_t)s->lost, "seconds",
                     seconds > 0 ? json_real(seconds) : json_null());
}

static char *write_table(const struct view_call_diff *d, enum view_format format,
                         const struct view_page *page, const struct row *rows)
{
    size_t shown = d->limit && d->limit < d->count ? d->limit : d->count;
    const char *list = format == FORMAT_JSON           ? FIELDS_JSON
                       : format == FORMAT_CSV          ? FIELDS_CSV
                       : trace_diff_is_timed(d->sides) ? FIELDS_TIMED
                                                       : FIELDS_CALLS;
    const struct view_fields made = view_fields_of(&view_call_diff_columns, list);
    const struct view_table table = {.fields = d->fields ? d->fields : &made,
                                     .rows = rows,
                                     .size = sizeof(*rows),
                                     .count = shown};
    struct text t = {.bytes = NULL};

    if (format == FORMAT_JSON)
        return json_line(
            json_pack("{s:o, s:o, s:b, s:I, s:o}", "base", side_object(d, TRACE_SIDE_BASE), "new",
                      side_object(d, TRACE_SIDE_NEW), "per_second", has_lengths(d), "functions",
                      (json_int_t)d->count, "rows", view_table_json(&table)));
    if (format != FORMAT_CSV)
        add_about(d, format == FORMAT_MARKDOWN, &t);
    view_table_write(&table, format, page ? page->width : 0, &t);
    if (format != FORMAT_CSV && shown < d->count)
        text_printf(&t, "\n%zu further rows\n", d->count - shown);
    return text_end(&t);
}

static int then_by_name(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

char *view_call_diff(const struct view_call_diff *diff, enum view_format format,
                     const struct view_page *page)
{
    struct row *rows = calloc(diff->count + 1, sizeof(*rows));

    if (!rows)
        return NULL;
    for (size_t i = 0; i < diff->count; i++)
        make_row(diff, &diff->rows[i], &rows[i]);
    if (diff->sort)
        view_sort(rows, diff->count, sizeof(*rows), diff->sort, then_by_name);
    char *text = write_table(diff, format, page, rows);
    free(rows);
    return text;
}
