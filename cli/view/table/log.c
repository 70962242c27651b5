/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of snapshots, for people and for programs. */
#define _POSIX_C_SOURCE 200809L

#include <table/log.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ranking/build.h>
#include <table/grid.h>
#include <table/json_parts.h>
#include <table/time.h>

#define DIGITS 9

static const struct view_grid_column columns[] = {
    {.name = "number", .title = "", .right = true},
    {.name = "time", .title = "TIME"},
    {.title = "", .picture = true},
    {.name = "build", .title = "BUILD"},
    {.name = "elf", .title = "ELF", .drop = 6},
    {.name = "target", .title = "TARGET", .drop = 1},
    {.name = "sampler", .title = "SAMPLER", .drop = 2},
    {.name = "hits", .title = "HITS", .right = true, .drop = 5},
    {.name = "unit", .title = "UNIT", .drop = 3},
    {.name = "duration", .title = "SECONDS", .right = true, .drop = 4},
    {.name = "runs"},
    {.name = "share", .title = "SHARE%", .right = true},
    {.name = "function", .title = "FIRST FUNCTION"},
    {.name = "file"},
    {.name = "differs"},
};

static bool same_build(const struct view_log *log, size_t a, size_t b)
{
    const struct view_log_entry *x = &log->entries[a], *y = &log->entries[b];

    return x->build[0] && strcmp(x->build, y->build) == 0;
}

/* What joins neighbours of one build. */
static const char *bracket(const struct view_log *log, size_t i)
{
    static const char *const drawn[2][4] = {
        {" ", "\\", "/", "|"},
        {" ", "\u2514", "\u250c", "\u2502"},
    };
    bool above = i > 0 && same_build(log, i - 1, i);
    bool below = i + 1 < log->count && same_build(log, i, i + 1);

    return drawn[log->utf8][above + 2 * below];
}

static void add_number(struct view_grid *g, const char *shown, double value, bool known)
{
    char text[40];

    snprintf(text, sizeof(text), "%.*g", DIGITS, value);
    view_grid_add(g, known ? shown : "", known ? text : "");
}

static void add_count(struct view_grid *g, uint64_t count)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, count);
    view_grid_add(g, text, text);
}

static void add_head(struct view_grid *g, const struct view_log *log, size_t i)
{
    const struct view_log_entry *e = &log->entries[i];
    char shown[48], value[48], build[24];

    snprintf(shown, sizeof(shown), "@%zu", e->number);
    snprintf(value, sizeof(value), "%zu", e->number);
    view_grid_add(g, shown, value);
    view_time(e->time_ns, false, shown, sizeof(shown));
    view_time(e->time_ns, true, value, sizeof(value));
    view_grid_add(g, shown[0] ? shown : "not known", value);
    view_grid_add(g, bracket(log, i), "");
    snprintf(build, sizeof(build), "%.*s%s", view_build_len(e->build), e->build,
             e->build[0] && e->differs ? "?" : "");
    view_grid_add(g, build[0] ? build : "not known", e->build);
}

static void add_entry(struct view_grid *g, const struct view_log *log, size_t i)
{
    const struct view_log_entry *e = &log->entries[i];
    char text[48];

    add_head(g, log, i);
    view_grid_add(g, e->elf, e->elf);
    view_grid_add(g, e->target, e->target);
    view_grid_add(g, e->sampler, e->sampler);
    add_count(g, e->hits);
    view_grid_add(g, e->unit, e->unit);
    snprintf(text, sizeof(text), "%.1f", (double)e->duration_ns * 1e-9);
    add_number(g, text, (double)e->duration_ns * 1e-9, e->duration_ns > 0);
    add_count(g, e->runs);
    snprintf(text, sizeof(text), "%.1f", 100 * e->share);
    add_number(g, text, e->share, e->share >= 0);
    view_grid_add(g, e->function[0] || e->share < 0 ? e->function : "(no name)", e->function);
    view_grid_add(g, e->file, e->file);
    view_grid_add(g, "", e->differs ? "true" : "false");
}

static struct view_grid make_grid(const struct view_log *log)
{
    struct view_grid g = {.columns = columns, .column_count = sizeof(columns) / sizeof(columns[0])};

    for (size_t i = 0; i < log->count; i++)
        add_entry(&g, log, i);
    return g;
}

/* Text with one more line where not all of it is shown, or nothing is. */
static char *with_rest(const struct view_log *log, char *text)
{
    char rest[60];
    int len;

    if (!text || (log->count == log->all && log->all))
        return text;
    if (log->all)
        len = snprintf(rest, sizeof(rest), "\n%zu older ones\n", log->all - log->count);
    else
        len = snprintf(rest, sizeof(rest), "\nno snapshots\n");
    char *grown = realloc(text, strlen(text) + (size_t)len + 1);
    if (!grown) {
        free(text);
        return NULL;
    }
    return strcat(grown, rest);
}

char *view_log_text(const struct view_log *log)
{
    struct view_grid g = make_grid(log);
    char *text = with_rest(log, view_grid_text(&g, log->width));

    view_grid_free(&g);
    return text;
}

char *view_log_csv(const struct view_log *log)
{
    struct view_grid g = make_grid(log);
    char *text = view_grid_csv(&g, true);

    view_grid_free(&g);
    return text;
}

char *view_log_markdown(const struct view_log *log)
{
    struct view_grid g = make_grid(log);
    char *text = with_rest(log, view_grid_markdown(&g));

    view_grid_free(&g);
    return text;
}

static json_t *entry_object(const struct view_log_entry *e)
{
    double duration_s = (double)e->duration_ns * 1e-9;

    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:o, s:o, s:b}",
                     "number", (json_int_t)e->number, "file", json_text(e->file), "time",
                     json_time(e->time_ns), "build", json_text(e->build), "elf", json_text(e->elf),
                     "target", json_text(e->target), "sampler", json_text(e->sampler), "unit",
                     json_text(e->unit), "hits", (json_int_t)e->hits, "duration",
                     e->duration_ns > 0 ? json_real(duration_s) : json_null(), "runs",
                     (json_int_t)e->runs, "function", json_text(e->function), "share",
                     e->share < 0 ? json_null() : json_real(e->share), "differs", e->differs);
}

char *view_log_json(const struct view_log *log)
{
    json_t *array = json_array();
    bool done = array != NULL;

    for (size_t i = 0; done && i < log->count; i++)
        done = json_array_append_new(array, entry_object(&log->entries[i])) == 0;
    if (!done) {
        json_decref(array);
        array = NULL;
    }
    json_t *object =
        json_pack("{s:o, s:I, s:I, s:o}", "store", json_text(log->folder), "count",
                  (json_int_t)log->all, "left_out", (json_int_t)log->skipped, "snapshots", array);
    return json_line(object);
}
