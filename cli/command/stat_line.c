/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A second's numbers as a line of a table, of CSV, or as an object. */
#define _POSIX_C_SOURCE 200809L

#include "stat_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/text.h>
#include <ranking/rows.h>
#include <table/json_parts.h>
#include <wander/wander.h>

#define CELL 24

/* Shares that have intervals: tasks, interrupts, idle. */
#define SHARES 3

/* The columns of a table. */
static const char heading[] =
    "    TIME  TASKS%   IRQ%  IDLE%  UNKNOWN%  SAMPLES/S   LOST  HALTED%  STATE";

const char *stat_heading(enum view_format format)
{
    if (format == FORMAT_CSV)
        return "time,seconds,tasks,interrupts,idle,unknown,wall,rate,lost,halted_share,state,"
               "tasks_low,tasks_high,interrupts_low,interrupts_high,idle_low,idle_high";
    return format == FORMAT_TABLE ? heading : NULL;
}

static const char *percent(double part, char *cell)
{
    if (part < 0)
        snprintf(cell, CELL, "-");
    else
        snprintf(cell, CELL, "%.1f", 100 * part);
    return cell;
}

static const char *number(double value, char *cell)
{
    if (value < 0)
        snprintf(cell, CELL, "-");
    else
        snprintf(cell, CELL, "%.0f", value);
    return cell;
}

static void put_row(FILE *file, const char *when, const struct stat_line *l)
{
    char cells[7][CELL];

    fprintf(file, "%8s  %6s %6s %6s  %8s  %9s %6s  %7s  %s\n", when,
            percent(l->usage.tasks, cells[0]), percent(l->usage.interrupts, cells[1]),
            percent(l->usage.idle, cells[2]), percent(l->usage.unknown, cells[3]),
            number(l->rate, cells[4]), number(l->lost, cells[5]), percent(l->halted, cells[6]),
            l->state);
}

/* Cells of a line, and where its tasks begin. */
#define LINE_CELLS 79
#define TASKS_AT   10

static bool flushed(FILE *file)
{
    return fflush(file) == 0 && !ferror(file);
}

/* Puts one of a list of texts, and frees it. column is that of the cell after the last one; 0: it
 * is the first text. Returns the new column. */
static size_t put_listed(FILE *file, size_t column, struct text *t)
{
    size_t len = t->failed ? 0 : strlen(t->bytes);

    if (column == 0 || column + 1 + len > LINE_CELLS)
        column = (size_t)fprintf(file, "%s%*s", column == 0 ? "" : "\n", TASKS_AT, "");
    else
        column += (size_t)fprintf(file, " ");
    if (!t->failed)
        column += (size_t)fprintf(file, "%s", t->bytes);
    free(t->bytes);
    return column;
}

/* "blink 45.1, net 26.5", on as many lines as that takes. */
static void put_tasks(FILE *file, const struct stat_line *l)
{
    size_t column = 0;

    for (size_t i = 0; i < l->task_count; i++) {
        struct text t = {.bytes = NULL};
        text_escape(&t, l->tasks[i].name, "", "");
        text_printf(&t, " %.1f%s", 100 * l->tasks[i].share, i + 1 < l->task_count ? "," : "");
        column = put_listed(file, column, &t);
    }
    if (column != 0)
        fputc('\n', file);
}

bool stat_stacks_put(FILE *file, const struct stat_task *tasks, size_t count)
{
    size_t column = 0;

    for (size_t i = 0; i < count; i++) {
        const struct profile_task *task = &tasks[i].task;
        struct text t = {.bytes = NULL};
        text_printf(&t, "%s", i == 0 ? "never used of stacks: " : "");
        text_escape(&t, tasks[i].name, "", "");
        text_printf(&t, " %" PRIu64, task->stack_free);
        if (task->stack_size != 0)
            text_printf(&t, " of %" PRIu64, task->stack_size);
        text_printf(&t, "%s", i + 1 < count ? "," : " bytes");
        column = put_listed(file, column, &t);
    }
    if (column != 0)
        fputc('\n', file);
    return flushed(file);
}

static void line_shares(const struct stat_line *l, struct stats_share shares[SHARES])
{
    shares[0] = view_usage_share(&l->usage, l->usage.tasks);
    shares[1] = view_usage_share(&l->usage, l->usage.interrupts);
    shares[2] = view_usage_share(&l->usage, l->usage.idle);
}

static void mean_usage(const struct stat_mean *mean, struct view_usage *usage)
{
    double s = mean->seconds;

    *usage = mean->last.usage;
    usage->tasks = mean->tasks / s;
    usage->idle = mean->idle / s;
    usage->interrupts = mean->interrupts_s > 0 ? mean->interrupts / mean->interrupts_s : -1;
    usage->samples = mean->samples;
}

/* Returns what their intervals cover: each line is a poll. */
static const char *mean_shares(const struct stat_mean *mean, struct stats_share shares[SHARES])
{
    struct wander_list list = {.count = 0};
    struct wander sum = {.hits = 0};
    struct view_usage usage;

    mean_usage(mean, &usage);
    const double parts[SHARES] = {usage.tasks, usage.interrupts, usage.idle};
    if (mean->slices)
        slices_wander(mean->slices, &list);
    for (size_t i = 0; i < list.count; i++)
        wander_add(&sum, &list.rows[i].wander, 1);
    for (size_t i = 0; i < SHARES; i++) {
        double spread = list.count ? wander_spread(&list.rows[i].wander, &sum, list.cosines) : 1;
        usage.spread = fmax(mean->last.usage.spread, spread);
        shares[i] = view_usage_share(&usage, parts[i]);
    }
    const char *cover = wander_intervals(list.cosines, mean->last.usage.spread);
    wander_list_free(&list);
    return cover;
}

static void put_table(FILE *file, const struct stat_line *l)
{
    char when[CELL] = "";
    time_t now = time(NULL);
    struct tm local;

    if (localtime_r(&now, &local))
        (void)strftime(when, sizeof(when), "%H:%M:%S", &local);
    put_row(file, when, l);
    put_tasks(file, l);
}

/* What is not known is nothing between two commas, or null. */
static const char *exact(double value, const char *unknown, char *cell)
{
    if (value < 0)
        snprintf(cell, CELL, "%s", unknown);
    else
        snprintf(cell, CELL, "%.6g", value);
    return cell;
}

static void put_csv(FILE *file, const struct stat_line *l)
{
    const double shares[] = {l->usage.tasks, l->usage.interrupts, l->usage.idle};
    char cells[8][CELL];

    fprintf(file, "%.3f,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s", l->time_s,
            exact(l->interval_s, "", cells[0]), exact(l->usage.tasks, "", cells[1]),
            exact(l->usage.interrupts, "", cells[2]), exact(l->usage.idle, "", cells[3]),
            exact(l->usage.unknown, "", cells[4]), l->usage.wall ? "true" : "false",
            exact(l->rate, "", cells[5]), exact(l->lost, "", cells[6]),
            exact(l->halted, "", cells[7]), l->state);
    for (size_t i = 0; i < SHARES; i++) {
        struct stats_share share = view_usage_share(&l->usage, shares[i]);
        fprintf(file, ",%s,%s", exact(share.low, "", cells[0]), exact(share.high, "", cells[1]));
    }
    fputc('\n', file);
}

static json_t *bytes_or_null(bool known, uint64_t bytes)
{
    return known ? json_integer((json_int_t)bytes) : json_null();
}

static json_t *part_or_null(double part)
{
    return part < 0 ? json_null() : json_real(part);
}

static void put_tasks_json(FILE *file, const struct stat_line *l)
{
    json_t *tasks = json_array();

    for (size_t i = 0; i < l->task_count; i++) {
        const struct profile_task *task = &l->tasks[i].task;
        bool sized = task->stack_known && task->stack_size != 0;
        struct stats_share share = view_usage_share(&l->usage, l->tasks[i].share);
        json_array_append_new(
            tasks, json_pack("{s:o, s:f, s:o, s:o, s:o, s:o}", "task", json_text(l->tasks[i].name),
                             "share", share.value, "low", part_or_null(share.low), "high",
                             part_or_null(share.high), "stack_free",
                             bytes_or_null(task->stack_known, task->stack_free), "stack_size",
                             bytes_or_null(sized, task->stack_size)));
    }
    char *line = json_print(tasks, 0);
    if (l->task_count != 0 && line)
        fprintf(file, "\"by_task\": %s, ", line);
    free(line);
    json_decref(tasks);
}

/* The shares of a time with their intervals, and what these cover. */
static void put_shares_json(FILE *file, double seconds, const struct stats_share shares[SHARES],
                            const char *cover)
{
    static const char *const names[SHARES] = {"tasks", "interrupts", "idle"};
    char cells[3][CELL];

    fprintf(file, "\"seconds\": %s, ", exact(seconds, "null", cells[0]));
    for (size_t i = 0; i < SHARES; i++)
        fprintf(file, "\"%s\": %s, \"%s_low\": %s, \"%s_high\": %s, ", names[i],
                exact(shares[i].value, "null", cells[0]), names[i],
                exact(shares[i].low, "null", cells[1]), names[i],
                exact(shares[i].high, "null", cells[2]));
    if (shares[0].low < 0)
        fputs("\"intervals\": null", file);
    else
        fprintf(file, "\"intervals\": \"%s\"", cover);
}

static void put_json(FILE *file, const struct stat_line *l, const struct stat_mean *mean)
{
    struct stats_share shares[SHARES];
    char cells[4][CELL];

    fprintf(file, "{\"time\": %.3f, ", l->time_s);
    line_shares(l, shares);
    put_shares_json(file, l->interval_s, shares, wander_intervals(0, l->usage.spread));
    fprintf(file,
            ", \"unknown\": %s, \"wall\": %s, \"callees_are_tasks\": %s, \"tick_locked\": %s, "
            "\"rate\": %s, \"lost\": %s, \"halted_share\": %s, ",
            exact(l->usage.unknown, "null", cells[0]), l->usage.wall ? "true" : "false",
            l->usage.callees ? "true" : "false", l->usage.locked ? "true" : "false",
            exact(l->rate, "null", cells[1]), exact(l->lost, "null", cells[2]),
            exact(l->halted, "null", cells[3]));
    if (mean->lines != 0) {
        const char *cover = mean_shares(mean, shares);
        fputs("\"mean\": {", file);
        put_shares_json(file, mean->seconds, shares, cover);
        fputs("}, ", file);
    }
    put_tasks_json(file, l);
    if (l->state[0])
        fprintf(file, "\"state\": \"%s\"}\n", l->state);
    else
        fputs("\"state\": null}\n", file);
}

bool stat_line_put(FILE *file, enum view_format format, const struct stat_line *line,
                   const struct stat_mean *mean)
{
    if (format == FORMAT_JSON)
        put_json(file, line, mean);
    else if (format == FORMAT_CSV)
        put_csv(file, line);
    else
        put_table(file, line);
    return flushed(file);
}

/* One poll for each line. Without memory the intervals are of counting only. */
static void add_slice(struct stat_mean *mean, const struct view_usage *u)
{
    const double parts[] = {u->tasks, u->interrupts, u->idle, u->unknown};

    if (!mean->slices)
        mean->slices = slices_new();
    bool done = mean->slices != NULL;
    for (size_t i = 0; done && i < sizeof(parts) / sizeof(parts[0]); i++)
        done = slices_add(mean->slices, (struct wander_place){.addr = i},
                          (uint64_t)llround(fmax(parts[i], 0) * u->samples));
    if (done)
        slices_end_poll(mean->slices);
    mean->samples += u->samples;
}

/* Seconds of which nothing is known are in no mean. */
void stat_mean_add(struct stat_mean *mean, const struct stat_line *line)
{
    const struct view_usage *u = &line->usage;
    double s = line->interval_s;

    if (s <= 0 || u->tasks < 0)
        return;
    mean->tasks += u->tasks * s;
    mean->idle += u->idle * s;
    mean->unknown += fmax(u->unknown, 0) * s;
    if (u->interrupts >= 0) {
        mean->interrupts += u->interrupts * s;
        mean->interrupts_s += s;
    }
    mean->rate += fmax(line->rate, 0) * s;
    mean->halted += fmax(line->halted, 0) * s;
    mean->lost += fmax(line->lost, 0);
    mean->seconds += s;
    mean->lines++;
    mean->last = *line;
    add_slice(mean, u);
}

void stat_mean_free(struct stat_mean *mean)
{
    slices_free(mean->slices);
    mean->slices = NULL;
}

/* "95 % +/-     1.2    0.9    0.8  of the mean" */
static void put_ends(FILE *file, const struct stats_share shares[SHARES], const char *what,
                     const char *cover)
{
    char cells[SHARES][CELL];

    if (shares[0].low < 0)
        return;
    for (size_t i = 0; i < SHARES; i++)
        percent(shares[i].low < 0
                    ? -1
                    : fmax(shares[i].high - shares[i].value, shares[i].value - shares[i].low),
                cells[i]);
    fprintf(file, "95 %% +/-  %6s %6s %6s  %s: %s\n", cells[0], cells[1], cells[2], what, cover);
}

static void put_mean(FILE *file, const struct stat_mean *mean)
{
    double s = mean->seconds;
    struct stat_line line = mean->last;
    char when[CELL];

    mean_usage(mean, &line.usage);
    line.usage.unknown = mean->last.usage.unknown < 0 ? -1 : mean->unknown / s;
    line.rate = mean->rate / s;
    line.halted = mean->halted / s;
    line.lost = mean->lost;
    snprintf(when, sizeof(when), "mean of %.0f s", s);
    line.state = when;
    put_row(file, "", &line);
}

bool stat_mean_put(FILE *file, const struct stat_mean *mean)
{
    struct stats_share shares[SHARES];
    struct stat_line line = mean->last;

    if (mean->lines > 1) {
        const char *cover = mean_shares(mean, shares);
        put_mean(file, mean);
        put_ends(file, shares, "of the mean", cover);
    }
    if (mean->lines != 0) {
        mean_usage(mean, &line.usage);
        line.usage.samples = mean->samples / (double)mean->lines;
        line_shares(&line, shares);
        put_ends(file, shares, "of one line", wander_intervals(0, line.usage.spread));
    }
    return flushed(file);
}
