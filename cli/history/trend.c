/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows functions from the newest build back, comparing each build with the one before. */
#define _POSIX_C_SOURCE 200809L

#include <history/trend.h>

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

#define TEXT_MAX 600

/* A question on its way through one program's points. */
struct search {
    const struct history *history;
    const struct history_question *question;
    const struct series *series;
    size_t shown; /* points of the series that are shown */
    struct view_trends *trends;
    size_t first; /* this program's first trend */
    /* What each point is to a function that it does not have; of the first ones, so far. */
    struct view_trend_point *common;
    size_t common_count;
    bool unqualified; /* the pattern may be the end of a name from a "::" on */
    bool failed;      /* no memory */
};

static bool is_asked(const struct search *s, const char *function)
{
    const char *pattern = s->question->pattern;
    size_t len = match_name_len(function);

    if (function == point_unnamed || strcmp(function, point_unnamed) == 0)
        return false;
    if (strcmp(pattern, function) == 0)
        return true;
    if (s->unqualified)
        return match_is_unqualified(function, pattern);
    char *name = strndup(function, len);
    bool asked = name && (strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0);
    free(name);
    return asked;
}

static bool is_stopped(const struct search *s)
{
    return s->question->stop && s->question->stop();
}

static void load_point(struct search *s, size_t index, struct point_data *data)
{
    const struct point *point = &s->series->points[index];
    char text[TEXT_MAX];

    for (size_t i = 0; !s->failed && i < point->count && !is_stopped(s); i++) {
        const struct history_entry *e = &s->history->entries[point->entries[i]];
        struct snapshot *snapshot = NULL;
        if (snapshot_load(e->path, &snapshot, text, sizeof(text)) != SNAPSHOT_OK) {
            if (!s->unqualified) /* it was said the first time */
                s->question->skip(s->question->context, text);
            continue;
        }
        s->failed = !point_add(data, snapshot);
        snapshot_free(snapshot);
    }
}

/* A new trend, of no hits so far. */
static size_t add_trend(struct search *s, const char *function, size_t name_len, const char *file)
{
    struct view_trends *all = s->trends;
    const struct history_entry *e = &s->history->entries[s->series->points[0].entries[0]];
    struct view_trend *trends = realloc(all->trends, (all->count + 1) * sizeof(*trends));

    if (!trends)
        return SIZE_MAX;
    all->trends = trends;
    struct view_trend *t = &trends[all->count];
    *t = (struct view_trend){.function = strndup(function, name_len),
                             .file = strdup(file ? file : ""),
                             .elf = e->elf,
                             .target = e->target,
                             .unit = e->unit,
                             .points = calloc(s->shown, sizeof(*t->points)),
                             .count = s->shown,
                             .older = s->series->count - s->shown};
    all->count++;
    if (!t->function || !t->file || !t->points)
        return SIZE_MAX;
    memcpy(t->points, s->common, s->common_count * sizeof(*t->points));
    return all->count - 1;
}

/* The trend of a function that nobody follows yet, under the name that it has in named; SIZE_MAX:
 * it is not asked for. */
static size_t ask_for(struct search *s, const struct point_row *row, const struct point_row *named)
{
    size_t trend = SIZE_MAX;

    if (s->failed || !is_asked(s, row->function))
        return trend;
    trend = add_trend(s, named->function, match_name_len(named->function), named->file);
    s->failed = trend == SIZE_MAX;
    return trend;
}

static uint64_t total_of(const struct point_data *p)
{
    uint64_t total = 0;

    for (size_t i = 0; i < p->run_count; i++)
        total += p->runs[i].attributed;
    return total;
}

static void set_share(const struct point_data *data, uint64_t inherited,
                      struct view_trend_point *at)
{
    uint64_t dropped = 0;
    bool locked = false;

    at->share = (struct stats_share){.low = -1, .high = -1};
    for (size_t i = 0; i < data->run_count; i++) {
        dropped += data->runs[i].dropped;
        locked = locked || data->runs[i].locked;
    }
    if (at->total == 0)
        return;
    at->share = data->exact ? stats_exact_share(at->hits, inherited, at->total, dropped)
                            : stats_row_share(at->hits, inherited, at->total, dropped);
    if (locked)
        at->share.low = at->share.high = -1;
}

/* The next point, of a function that has no hits there. */
static void set_common(struct search *s, const struct point_data *data)
{
    const struct point *point = &s->series->points[s->common_count];
    const struct history_entry *newest = &s->history->entries[point->entries[0]];
    struct view_trend_point *at = &s->common[s->common_count++];

    *at = (struct view_trend_point){.number = point->entries[0],
                                    .snapshots = point->count,
                                    .runs = data->run_count,
                                    .time_ns = newest->time_ns,
                                    .build = newest->build,
                                    .total = total_of(data),
                                    .alone = "not there"};
    set_share(data, 0, at);
}

/* What it is called there, where that is not the name of the trend. */
static void set_name(const struct view_trend *t, const char *function, struct view_trend_point *at)
{
    int len = (int)match_name_len(function);

    at->there = true;
    if (strncmp(t->function, function, (size_t)len) != 0 || t->function[len] != '\0')
        snprintf(at->name, sizeof(at->name), "%.*s", len, function);
}

/* What the point has of each function that is followed; inherited: room for each. */
static void set_points(struct search *s, const struct point_data *data, uint64_t *inherited)
{
    size_t index = s->common_count;
    struct view_trend *trends = s->trends->trends;

    set_common(s, data);
    for (size_t t = s->first; t < s->trends->count; t++)
        trends[t].points[index] = s->common[index];
    for (size_t i = 0; i < data->row_count; i++) {
        size_t t = data->rows[i].trend;
        if (t != SIZE_MAX)
            set_name(&trends[t], data->rows[i].function, &trends[t].points[index]);
        for (size_t r = 0; t != SIZE_MAX && r < data->run_count; r++) {
            trends[t].points[index].hits += data->runs[r].hits[i].hits;
            inherited[t] += data->runs[r].hits[i].inherited;
        }
    }
    for (size_t t = s->first; t < s->trends->count; t++)
        set_share(data, inherited[t], &trends[t].points[index]);
}

static void take_point(struct search *s, const struct point_data *data)
{
    uint64_t *inherited = calloc(s->trends->count + 1, sizeof(*inherited));

    s->failed = s->failed || !inherited;
    if (!s->failed)
        set_points(s, data, inherited);
    free(inherited);
}

/* A base's row as the newer point has it, whatever it is called there. */
static const struct point_row *newest_of(const struct pair *p, const struct point_data *newer,
                                         const struct point_row *row, size_t key)
{
    for (size_t i = 0; i < newer->row_count; i++) {
        if (pair_key(p, 1, i) == key)
            return &newer->rows[i];
    }
    return row;
}

/* Who is followed in the new point is followed in the base too, whatever it was called there; and
 * who is asked for and not followed yet begins here. trends: of each key. */
static void follow(struct search *s, const struct pair *p, struct point_data *base,
                   struct point_data *newer, size_t *trends)
{
    for (size_t i = 0; i < p->key_count; i++)
        trends[i] = SIZE_MAX;
    for (size_t i = 0; i < newer->row_count; i++) {
        size_t *trend = &trends[pair_key(p, 1, i)];
        if (*trend == SIZE_MAX)
            *trend = s->common_count == 0 ? ask_for(s, &newer->rows[i], &newer->rows[i])
                                          : newer->rows[i].trend;
    }
    for (size_t i = 0; i < base->row_count; i++) {
        size_t *trend = &trends[pair_key(p, 0, i)];
        if (*trend == SIZE_MAX && s->common_count + 1 < s->shown)
            *trend =
                ask_for(s, &base->rows[i], newest_of(p, newer, &base->rows[i], pair_key(p, 0, i)));
        base->rows[i].trend = *trend;
    }
    for (size_t i = 0; i < newer->row_count; i++)
        newer->rows[i].trend = trends[pair_key(p, 1, i)];
}

static void set_changes(struct search *s, const struct pair *p, const size_t *trends,
                        const char *why)
{
    size_t index = s->common_count - 1;

    for (size_t t = s->first; why && t < s->trends->count; t++)
        s->trends->trends[t].points[index].alone = why;
    for (size_t key = 0; !why && key < p->key_count; key++) {
        if (trends[key] == SIZE_MAX)
            continue;
        struct view_trend_point *at = &s->trends->trends[trends[key]].points[index];
        at->alone = NULL;
        at->change = p->diff.rows[key];
        at->contested = p->diff.contested;
        at->uneven = p->diff.uneven;
        if (p->keys[key].guessed)
            snprintf(at->was, sizeof(at->was), "%.*s", (int)p->keys[key].old_len,
                     p->keys[key].old_name);
    }
}

/* first: there is no base, newer is the oldest one. */
static void compare_points(struct search *s, struct point_data *base, struct point_data *newer,
                           bool first)
{
    struct pair p = {.sides = {base, newer}};
    const char *why = "";
    size_t *trends = NULL;

    s->failed =
        s->failed || !pair_match(&p) || !(trends = calloc(p.key_count + 1, sizeof(*trends)));
    if (!s->failed)
        follow(s, &p, base, newer, trends);
    take_point(s, newer);
    if (!s->failed && !first)
        s->failed = !pair_compare(&p, &why);
    if (!s->failed)
        set_changes(s, &p, trends, why);
    free(trends);
    pair_free(&p);
}

static void walk(struct search *s)
{
    struct point_data newer = {.rows = NULL}, base = {.rows = NULL};

    load_point(s, 0, &newer);
    for (size_t i = 0; !s->failed && !is_stopped(s) && i < s->shown; i++) {
        bool first = i + 1 == s->series->count;
        if (!first)
            load_point(s, i + 1, &base);
        compare_points(s, &base, &newer, first);
        point_free(&newer);
        newer = base;
        base = (struct point_data){.rows = NULL};
    }
    point_free(&newer);
    point_free(&base);
}

static int order_trends(const void *a, const void *b)
{
    const struct view_trend *x = a, *y = b;
    double p = x->points[0].share.value, q = y->points[0].share.value;
    int order = (p < q) - (p > q);

    order = order ? order : strcmp(x->function, y->function);
    return order ? order : strcmp(x->file, y->file);
}

static void search_series(struct search *s, const struct series *series)
{
    size_t limit = s->question->limit;

    s->series = series;
    s->shown = limit && limit < series->count ? limit : series->count;
    s->first = s->trends->count;
    s->common_count = 0;
    s->common = calloc(s->shown, sizeof(*s->common));
    s->failed = !s->common;
    if (!s->failed)
        walk(s);
    if (!s->failed && s->trends->count > s->first)
        qsort(&s->trends->trends[s->first], s->trends->count - s->first, sizeof(struct view_trend),
              order_trends);
    free(s->common);
}

static void search_all(struct search *s, const struct series_list *list)
{
    for (size_t i = 0; !s->failed && i < list->count; i++)
        search_series(s, &list->series[i]);
}

bool history_trend(const struct history *history, const struct history_question *question,
                   struct view_trends *trends, char *text, size_t capacity)
{
    struct view_trends found = {.folder = history->folder};
    struct search s = {.history = history, .question = question, .trends = &found};
    struct series_list list = {.series = NULL};

    s.failed = !series_make(history, &list);
    search_all(&s, &list);
    s.unqualified = !s.failed && found.count == 0 && !is_stopped(&s);
    if (s.unqualified)
        search_all(&s, &list);
    series_free(&list);
    if (!s.failed && (found.count || is_stopped(&s))) {
        *trends = found;
        return true;
    }
    history_trend_free(&found);
    if (s.failed)
        snprintf(text, capacity, "out of memory");
    else
        snprintf(text, capacity, "no function in the snapshots of %s is called '%s'",
                 history->folder, question->pattern);
    return false;
}

void history_trend_free(struct view_trends *trends)
{
    for (size_t i = 0; i < trends->count; i++) {
        free(trends->trends[i].function);
        free(trends->trends[i].file);
        free(trends->trends[i].points);
    }
    free(trends->trends);
    *trends = (struct view_trends){.folder = NULL};
}
