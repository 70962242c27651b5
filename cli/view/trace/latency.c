/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram, and what is said of the longest time. */
#include <trace_view/latency.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <table/json_parts.h>
#include <table/time.h>

#include "latency_bins.h"

#define DURATION_TEXT 40
#define BAR_CELLS     40

static double unit_of(const struct view_latency *v)
{
    return v->state.hz != 0 ? 1.0 / v->state.hz : 1;
}

static void put_time(struct text *t, const struct view_latency *v, const char *name, double ticks)
{
    char text[DURATION_TEXT];

    view_duration(ticks < 0 ? -1 : ticks * unit_of(v), v->state.hz != 0, text, sizeof(text));
    text_printf(t, "%s %s", name, text);
}

/* Adds how many events, or if what is NULL calls, have no duration, and why. */
static void put_left_out(struct text *t, uint64_t count, const char *what, const char *why,
                         const char *other)
{
    if (count == 0)
        return;
    text_printf(t, "left out: %" PRIu64 " ", count);
    text_escape(t, what ? what : count == 1 ? "call" : "calls", "", "");
    text_printf(t, ": %s", why);
    text_escape(t, other, "", "");
    text_printf(t, "\n");
}

static void put_all_left_out(struct text *t, const struct view_latency *v)
{
    const struct latency_state *s = &v->state;
    const char *what = v->to ? v->from : NULL;

    if (v->to) {
        put_left_out(t, s->unended, what, "an earlier one had begun, or the trace ended, before ",
                     v->to);
        put_left_out(t, s->unbegun, v->to, "they came without ", v->from);
        put_left_out(t, s->lost, what, "then events were lost, or the target restarted", "");
    } else {
        put_left_out(t, s->unended, what, "no exit was seen", "");
        put_left_out(t, s->unbegun, what, "no entry was seen", "");
        put_left_out(t, s->lost, what, "events were lost before they returned", "");
    }
    put_left_out(t, s->unrated, what, "their clock has another rate than the first one", "");
}

static void put_heading(struct text *t, const struct view_latency *v)
{
    struct durations *d = v->state.durations;

    text_escape(t, v->origin, "", "");
    text_printf(t, ": %" PRIu64 " %s%s %s ", d->count, v->to ? "time" : "call",
                d->count == 1 ? "" : "s", v->to ? "from" : "of");
    text_escape(t, v->from, "", "");
    text_printf(t, v->to ? " to " : "");
    text_escape(t, v->to ? v->to : "", "", "");
    text_printf(t, "\n");
    put_time(t, v, "min", (double)d->min);
    put_time(t, v, ", median", durations_quantile(d, 0.5));
    put_time(t, v, ", 99 %", durations_quantile(d, 0.99));
    put_time(t, v, ", max", (double)d->max);
    put_time(t, v, "\nmean", durations_mean(d));
    put_time(t, v, ", standard deviation", durations_deviation(d));
    text_printf(t, "\n");
    if (!durations_are_exact(d))
        text_printf(t, "median and 99 %% are within %.1f %%\n", 100 * DURATIONS_ERROR);
    if (v->state.hz == 0)
        text_printf(t, "times are ticks of the target's clock\n");
    put_all_left_out(t, v);
}

static void put_histogram(struct text *t, const struct view_latency *v)
{
    const struct latency_bins bins = latency_bins(v->state.durations, unit_of(v));
    char from[DURATION_TEXT], to[DURATION_TEXT];
    bool seconds = v->state.hz != 0;
    uint64_t most = 1;

    for (size_t i = 0; i < bins.count; i++)
        most = bins.counts[i] > most ? bins.counts[i] : most;
    text_printf(t, "\n%10s  %10s  %9s\n", "FROM", "TO", "COUNT");
    for (size_t i = 0; i < bins.count; i++) {
        double bar = (double)bins.counts[i] * BAR_CELLS / (double)most;
        unsigned cells = (unsigned)bar + (bins.counts[i] != 0 && bar < 1);
        view_duration(bins.edges[i], seconds, from, sizeof(from));
        view_duration(bins.edges[i + 1], seconds, to, sizeof(to));
        text_printf(t, "%10s  %10s  %9" PRIu64, from, to, bins.counts[i]);
        text_printf(t, cells != 0 ? "  %.*s\n" : "\n", (int)cells,
                    "########################################");
    }
}

char *view_latency_text(const struct view_latency *latency)
{
    const struct view_latency *v = latency;
    struct text t = {.bytes = NULL};

    put_heading(&t, v);
    put_histogram(&t, v);
    put_time(&t, v, "\nthe longest:", (double)v->state.worst.ticks);
    if (v->state.hz != 0)
        text_printf(&t, ", beginning at %.6f s", (double)v->state.worst.begin * unit_of(v));
    text_printf(&t, "\n\n");
    return text_end(&t);
}

static json_t *bins_array(const struct view_latency *v)
{
    const struct latency_bins bins = latency_bins(v->state.durations, unit_of(v));
    json_t *rows = json_array();

    for (size_t i = 0; rows && i < bins.count; i++)
        if (json_array_append_new(rows, json_pack("{s:f, s:f, s:I}", "from", bins.edges[i], "to",
                                                  bins.edges[i + 1], "count",
                                                  (json_int_t)bins.counts[i])) != 0) {
            json_decref(rows);
            return NULL;
        }
    return rows;
}

/* Lines of objects as an array. */
static json_t *events_array(const char *events)
{
    json_t *array = json_array();

    for (const char *at = events; array && *at; at += strcspn(at, "\n") + 1) {
        json_t *event = json_loadb(at, strcspn(at, "\n"), 0, NULL);
        if (json_array_append_new(array, event) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static json_t *number(double value)
{
    return value < 0 ? json_null() : json_real(value);
}

char *view_latency_json(const struct view_latency *latency, const char *events, uint64_t more)
{
    const struct view_latency *v = latency;
    const struct latency_state *s = &v->state;
    struct durations *d = s->durations;
    double unit = unit_of(v), deviation = durations_deviation(d);

    json_t *worst = json_pack("{s:f, s:f, s:i, s:o, s:I}", "time", (double)s->worst.begin * unit,
                              "duration", (double)s->worst.ticks * unit, "core", (int)s->worst.core,
                              "events", events_array(events), "more", (json_int_t)more);
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:o, s:I, s:I, s:I, s:I, "
        "s:o, s:o}",
        "file", json_text(v->file), "elf", json_text(v->elf), "build", json_text(v->build), "from",
        json_text(v->from), "to", json_text(v->to), "unit", s->hz != 0 ? "seconds" : "ticks",
        "count", (json_int_t)d->count, "min", (double)d->min * unit, "avg",
        durations_mean(d) * unit, "median", durations_quantile(d, 0.5) * unit, "p99",
        durations_quantile(d, 0.99) * unit, "max", (double)d->max * unit, "stddev",
        number(deviation < 0 ? -1 : deviation * unit), "unended", (json_int_t)s->unended, "unbegun",
        (json_int_t)s->unbegun, "lost", (json_int_t)s->lost, "unrated", (json_int_t)s->unrated,
        "histogram", bins_array(v), "worst", worst);
    return text_with_newline(json_line(object));
}
