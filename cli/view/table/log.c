/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of snapshots, for people and for programs. */
#include <table/log.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ranking/build.h>
#include <table/json_parts.h>

#include "getters.h"

/* An entry of the list as a row: what joins neighbours of one build is known of the whole list. */
struct row {
    struct view_log_entry entry;
    const char *bracket;
};

static const struct view_log_entry *entry_of(const void *row)
{
    return &((const struct row *)row)->entry;
}

SHOW(show_number)
{
    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "@%" PRIu64, entry_of(of)->number);
}

SHOW(show_bracket)
{
    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "%s", ((const struct row *)of)->bracket);
}

SHOW(show_build)
{
    const struct view_log_entry *e = entry_of(of);

    UNUSED(scale), UNUSED(width);
    if (e->build[0])
        snprintf(text, capacity, "%.*s%s", view_build_len(e->build), e->build,
                 e->differs ? "?" : "");
    else
        snprintf(text, capacity, "not known");
}

SHOW(show_function)
{
    const struct view_log_entry *e = entry_of(of);

    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "%s", e->function[0] || e->share < 0 ? e->function : "(no name)");
}

#define AT(member, member_type) .at = VIEW_AT(struct row, entry.member, member_type)
#define TEXT(member)            .type = COLUMN_TEXT, AT(member, const char *), .unknown = ""
#define COUNT(member)           .type = COLUMN_COUNT, AT(member, uint64_t)
#define NUMBER(member)          .type = COLUMN_NUMBER, AT(member, double), .unknown = "", .decimals = 1
#define SHARE(member)           .type = COLUMN_SHARE, AT(member, double), .unknown = "", .decimals = 1
#define TIME(member)            .type = COLUMN_TIME, AT(member, int64_t), .unknown = "not known"
#define FLAG(member)            .type = COLUMN_FLAG, AT(member, bool)

static const struct view_column columns[] = {
    {COUNT(number), .name = "number", .title = "", .show = show_number},
    {TIME(time_ns), .name = "time", .title = "TIME"},
    {.type = COLUMN_PICTURE, .title = "", .show = show_bracket},
    {TEXT(build), .name = "build", .title = "BUILD", .show = show_build},
    {TEXT(elf), .name = "elf", .title = "ELF", .drop = 6},
    {TEXT(target), .name = "target", .title = "TARGET", .drop = 1},
    {TEXT(sampler), .name = "sampler", .title = "SAMPLER", .drop = 2},
    {COUNT(hits), .name = "hits", .title = "HITS", .drop = 5},
    {TEXT(unit), .name = "unit", .title = "UNIT", .drop = 3},
    {NUMBER(duration_s), .name = "duration", .title = "SECONDS", .drop = 4},
    {COUNT(runs), .name = "runs"},
    {SHARE(share), .name = "share", .title = "SHARE%"},
    {TEXT(function), .name = "function", .title = "TOP FUNCTION", .show = show_function},
    {TEXT(file), .name = "file"},
    {FLAG(differs), .name = "differs"},
};
_Static_assert(sizeof(columns) / sizeof(columns[0]) <= VIEW_FIELDS_MAX, "all can be shown");

static const struct view_columns log_columns = {
    .column = columns,
    .count = sizeof(columns) / sizeof(columns[0]),
};

/* The keys are a contract. */
#define JSON_FIELDS \
    "number,file,time,build,elf,target,sampler,unit,hits,duration,runs,function,share,differs"

static bool same_build(const struct view_log *log, size_t a, size_t b)
{
    const struct view_log_entry *x = &log->entries[a], *y = &log->entries[b];

    return x->build[0] && strcmp(x->build, y->build) == 0;
}

static const char *bracket(const struct view_log *log, size_t i, bool utf8)
{
    static const char *const drawn[2][4] = {
        {" ", "\\", "/", "|"},
        {" ", "\u2514", "\u250c", "\u2502"},
    };
    bool above = i > 0 && same_build(log, i - 1, i);
    bool below = i + 1 < log->count && same_build(log, i, i + 1);

    return drawn[utf8][above + 2 * below];
}

/* To be freed; NULL: no memory. */
static struct row *rows_of(const struct view_log *log, bool utf8)
{
    struct row *rows = calloc(log->count + 1, sizeof(*rows));

    for (size_t i = 0; rows && i < log->count; i++)
        rows[i] = (struct row){.entry = log->entries[i], .bracket = bracket(log, i, utf8)};
    return rows;
}

/* Not all of it is shown, or nothing is. */
static void add_rest(const struct view_log *log, struct text *to)
{
    if (log->all == 0)
        text_printf(to, "\nno snapshots\n");
    else if (log->count < log->all)
        text_printf(to, "\n%zu older snapshot%s\n", log->all - log->count,
                    log->all - log->count == 1 ? "" : "s");
}

static json_t *log_object(const struct view_log *log, const struct view_table *table)
{
    return json_pack("{s:o, s:I, s:I, s:o}", "store", json_text(log->folder), "count",
                     (json_int_t)log->all, "left_out", (json_int_t)log->skipped, "snapshots",
                     view_table_json(table));
}

char *view_log(const struct view_log *log, enum view_format format, const struct view_page *page)
{
    bool json = format == FORMAT_JSON;
    const struct view_fields fields =
        json ? view_fields_of(&log_columns, JSON_FIELDS) : view_fields_all(&log_columns);
    struct row *rows = rows_of(log, page->utf8);
    const struct view_table table = {
        .fields = &fields, .rows = rows, .size = sizeof(*rows), .count = rows ? log->count : 0};
    struct text t = {.failed = !rows};
    char *line = json && rows ? json_line(log_object(log, &table)) : NULL;

    if (!json) {
        view_table_write(&table, format, page->width, &t);
        if (format != FORMAT_CSV)
            add_rest(log, &t);
    }
    free(rows);
    return json ? line : text_end(&t);
}
