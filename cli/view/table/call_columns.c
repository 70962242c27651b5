/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a trace. */
#include <table/call_columns.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ranking/build.h>
#include <table/json_parts.h>
#include <table/time.h>
#include <trace/durations.h>

#include "getters.h"

#define AT(member, member_type) .at = VIEW_AT(struct trace_call_row, member, member_type)
#define COUNT(member)           .type = COLUMN_COUNT, AT(member, uint64_t)
#define TIME(member)            .type = COLUMN_NUMBER, AT(member, double), .show = show_##member
#define TEXT(member)            .type = COLUMN_TEXT, AT(member, const char *)

static const struct trace_call_row *row_of(const void *row)
{
    return row;
}

#define SHOW_TIME(member)                                                       \
    SHOW(show_##member)                                                         \
    {                                                                           \
        UNUSED(scale), UNUSED(width);                                           \
        view_duration(row_of(of)->member, row_of(of)->seconds, text, capacity); \
    }
SHOW_TIME(total)
SHOW_TIME(self)
SHOW_TIME(min)
SHOW_TIME(avg)
SHOW_TIME(median)
SHOW_TIME(p99)
SHOW_TIME(max)
SHOW_TIME(deviation)

GET(get_function)
{
    const char *name = row_of(of)->name;

    UNUSED(scale);
    get_name_or_address(name[0] ? name : NULL, row_of(of)->addr, value);
}

GET(get_where)
{
    UNUSED(scale);
    get_place(row_of(of)->file[0] ? row_of(of)->file : NULL, row_of(of)->line, value);
}

GET(get_address)
{
    UNUSED(scale);
    value->kind = VIEW_VALUE_ADDRESS;
    value->address = row_of(of)->addr;
}

static const struct view_column columns[] = {
    {COUNT(calls), .name = "calls", .title = "CALLS", .help = "entries of the function"},
    {COUNT(timed), .name = "timed", .title = "TIMED", .help = "calls with a duration", .drop = 1},
    {TIME(total), .name = "total", .title = "TOTAL",
     .help = "time from entries to exits; of recursive calls only the outermost"},
    {TIME(self), .name = "self", .title = "SELF",
     .help = "the same without traced functions that it called, and interrupts"},
    {TIME(min), .name = "min", .title = "MIN", .help = "shortest call", .drop = 4},
    {TIME(avg), .name = "avg", .title = "AVG", .help = "mean call", .drop = 5},
    {TIME(median), .name = "median", .title = "MEDIAN", .help = "half of the calls are not longer"},
    {TIME(p99), .name = "p99", .title = "99 %", .help = "99 % of the calls are not longer",
     .drop = 6},
    {TIME(max), .name = "max", .title = "MAX", .help = "longest call"},
    {TIME(deviation), .name = "stddev", .title = "STDDEV",
     .help = "standard deviation of the calls", .drop = 3},
    {TEXT(context), .name = "context", .title = "CONTEXT",
     .help = "task, exception, thread or core, with --by context"},
    {TEXT(name), .name = "function", .title = "FUNCTION", .help = "the function",
     .get = get_function},
    {TEXT(file), .name = "where", .title = "WHERE", .help = "source line where it begins",
     .get = get_where, .drop = 2},
    {TEXT(file), .name = "file", .title = "FILE", .help = "source file"},
    {.type = COLUMN_LINE,
     AT(line, unsigned),
     .name = "line",
     .title = "LINE",
     .help = "source line where it begins"},
    {.type = COLUMN_ADDRESS,
     .name = "address",
     .title = "ADDRESS",
     .get = get_address,
     .help = "address in the ELF file"},
};

/* In JSON what has no name is null. */
static const struct view_column hidden[] = {{TEXT(name), .name = "name", .key = "function"}};

const struct view_columns view_call_columns = {
    .column = columns,
    .count = sizeof(columns) / sizeof(columns[0]),
    .hidden = hidden,
    .hidden_count = sizeof(hidden) / sizeof(hidden[0]),
};

#define FIELDS_TIMED         "calls,total,self,min,avg,median,p99,max,stddev,function,where"
#define FIELDS_CALLS         "calls,function,where"
#define FIELDS_TIMED_CONTEXT "calls,total,self,min,avg,median,p99,max,stddev,context,function,where"
#define FIELDS_CALLS_CONTEXT "calls,context,function,where"

/* The keys are a contract. */
#define FIELDS_REST         "file,line,address,calls,timed,total,self,min,avg,median,p99,max,stddev"
#define FIELDS_JSON         "name," FIELDS_REST
#define FIELDS_CSV          "function," FIELDS_REST
#define FIELDS_JSON_CONTEXT "name,context," FIELDS_REST
#define FIELDS_CSV_CONTEXT  "function,context," FIELDS_REST

static int then_by_calls(const void *a, const void *b)
{
    const struct trace_call_row *x = a, *y = b;

    if (x->calls != y->calls)
        return x->calls < y->calls ? 1 : -1;
    return strcmp(x->name, y->name);
}

static bool has_durations(const struct view_calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        if (calls->rows[i].timed != 0)
            return true;
    return false;
}

static const char *default_fields(const struct view_calls *calls, enum view_format format)
{
    if (format == FORMAT_JSON)
        return calls->contexts ? FIELDS_JSON_CONTEXT : FIELDS_JSON;
    if (format == FORMAT_CSV)
        return calls->contexts ? FIELDS_CSV_CONTEXT : FIELDS_CSV;
    if (has_durations(calls))
        return calls->contexts ? FIELDS_TIMED_CONTEXT : FIELDS_TIMED;
    return calls->contexts ? FIELDS_CALLS_CONTEXT : FIELDS_CALLS;
}

static json_t *calls_object(const struct view_calls *calls, const struct view_table *table)
{
    const struct trace_calls_state *s = &calls->state;
    const char *unit = s->seconds ? "seconds" : "ticks";

    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:i, s:I, s:I, s:I, s:I, s:I, s:o}", "file",
        json_text(calls->file), "elf", json_text(calls->elf), "build", json_text(calls->build),
        "unit", json_text(s->timed ? unit : NULL), "calls", (json_int_t)s->calls, "exits",
        (json_int_t)s->exits, "lost", (json_int_t)s->lost, "restarts", (int)s->restarts,
        "unmatched_entries", (json_int_t)s->unmatched_entries, "unmatched_exits",
        (json_int_t)s->unmatched_exits, "open", (json_int_t)s->open, "unrated",
        (json_int_t)s->unrated, "functions", (json_int_t)calls->count, "rows",
        view_table_json(table));
    if (object && s->sleeps != 0) {
        json_object_set_new(object, "sleeps", json_integer((json_int_t)s->sleeps));
        json_object_set_new(object, "asleep",
                            s->known_sleeps == s->sleeps ? json_real(s->asleep) : json_null());
        json_object_set_new(object, "slept_calls", json_integer((json_int_t)s->slept_calls));
    }
    if (object && s->hook_cost > 0)
        json_object_set_new(object, "hook_cost", json_real(s->hook_cost));
    return object;
}

static void add_sleeps(const struct trace_calls_state *s, struct text *to)
{
    if (s->sleeps == 0)
        return;
    text_printf(to, "asleep %" PRIu64 " time%s", s->sleeps, s->sleeps == 1 ? "" : "s");
    if (s->known_sleeps == s->sleeps)
        text_printf(to, ", %.6f s", s->asleep);
    if (s->slept_calls != 0)
        text_printf(to,
                    "; the times of %" PRIu64 " call%s leave that out if the clock stops in sleep",
                    s->slept_calls, s->slept_calls == 1 ? "" : "s");
    text_printf(to, "\n");
}

static void add_cost(const struct trace_calls_state *s, struct text *to)
{
    if (s->seconds)
        text_printf(to, "the hooks' own time, %.3f us a call, is subtracted\n", s->hook_cost * 1e6);
    else
        text_printf(to, "the hooks' own time, %.1f ticks a call, is subtracted\n", s->hook_cost);
}

/* What the numbers are of, and what is missing in them. */
static void add_about(const struct view_calls *calls, bool markdown, struct text *to)
{
    const struct trace_calls_state *s = &calls->state;
    struct text t = {.bytes = NULL};

    text_printf(&t, "%s: %" PRIu64 " calls", calls->file, s->calls);
    if (s->exits != 0)
        text_printf(&t, ", %" PRIu64 " exits", s->exits);
    text_printf(&t, ", %" PRIu64 " events lost", s->lost);
    if (s->restarts != 0)
        text_printf(&t, ", %u restart%s", s->restarts, s->restarts == 1 ? "" : "s");
    if (calls->elf[0])
        text_printf(&t, "; %s", calls->elf);
    if (calls->build[0])
        text_printf(&t, ", build %.*s", view_build_len(calls->build), calls->build);
    text_add_shown(to, &t, markdown);
    text_printf(to, "\n");
    if (s->timed && s->unmatched_entries + s->unmatched_exits + s->open + s->unrated != 0)
        text_printf(to,
                    "calls without a duration: %" PRIu64 "; exits without a call: %" PRIu64
                    "; not returned yet: %" PRIu64 "\n",
                    s->unmatched_entries + s->unrated, s->unmatched_exits, s->open);
    add_sleeps(s, to);
    if (s->timed && s->exits != 0 && s->hook_cost > 0)
        add_cost(s, to);
    if (s->exits != 0 && !s->timed)
        text_printf(to, "no durations: the events have no times\n");
    else if (s->exits == 0 && s->calls != 0)
        text_printf(to, "no durations: the trace has only entries\n");
    else if (s->timed && !s->seconds)
        text_printf(to, "times are ticks of the target's clock\n");
    if (s->rounded)
        text_printf(to, "median and 99 %% of more than %d calls are within %.1f %%\n",
                    DURATIONS_EXACT, 100 * DURATIONS_ERROR);
    text_printf(to, "\n");
}

char *view_calls(const struct view_calls *calls, enum view_format format,
                 const struct view_page *page)
{
    const struct view_fields made =
        view_fields_of(&view_call_columns, default_fields(calls, format));
    size_t shown = calls->limit && calls->limit < calls->count ? calls->limit : calls->count;
    const struct view_table table = {.fields = calls->fields ? calls->fields : &made,
                                     .rows = calls->rows,
                                     .size = sizeof(*calls->rows),
                                     .count = shown};
    const struct view_column *sort = calls->sort;
    struct text t = {.bytes = NULL};

    if (!sort)
        sort = view_column_find(&view_call_columns, has_durations(calls) ? "total" : "calls", 5);
    view_sort(calls->rows, calls->count, sizeof(*calls->rows), sort, then_by_calls);
    if (format == FORMAT_JSON)
        return json_line(calls_object(calls, &table));
    if (format != FORMAT_CSV)
        add_about(calls, format == FORMAT_MARKDOWN, &t);
    view_table_write(&table, format, page ? page->width : 0, &t);
    if (format != FORMAT_CSV && shown < calls->count)
        text_printf(&t, "\n%zu more function%s\n", calls->count - shown,
                    calls->count - shown == 1 ? "" : "s");
    return text_end(&t);
}
