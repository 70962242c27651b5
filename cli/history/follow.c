/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares each point with the one before in time; which rows are one is the diff's to say. */
#define _POSIX_C_SOURCE 200809L

#include "follow.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <history/run.h>
#include <profile/match.h>
#include <snapshot/fingerprint.h>

#define TEXT_MAX 600

/* The name lives no longer than its row. */
static void offer(struct search *s, const char *name)
{
    nearest_offer(&s->near, name);
    if (s->near.name != name)
        return;
    snprintf(s->near_name, sizeof(s->near_name), "%s", name);
    s->near.name = s->near_name;
}

static bool is_asked(struct search *s, const char *function)
{
    const char *pattern = s->question->pattern;

    if (strcmp(pattern, function) == 0)
        return true;
    if (s->unqualified)
        return match_is_unqualified(function, pattern);
    char *name = strndup(function, match_name_len(function));
    bool asked = name && (strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0);
    if (name && !asked)
        offer(s, name);
    free(name);
    return asked;
}

bool follow_is_stopped(const struct search *s)
{
    return s->question->stop && s->question->stop();
}

/* The rows of a run of the snapshot (0: of all). false: no memory. */
static bool add_run(struct search *s, enum view_side side, const struct history_entry *entry,
                    const struct snapshot *snapshot, uint32_t number)
{
    const struct symbol_naming naming = snapshot_naming(snapshot);
    uint32_t type = snapshot_choose_type(snapshot, NULL, false);
    struct profile profile;
    struct fingerprint fingerprint;
    char text[TEXT_MAX];

    /* That it can be ranked was seen when the history was read. */
    if (snapshot_run_profile(snapshot, type, number, false, &profile, text, sizeof(text)) !=
        SNAPSHOT_OK)
        return true;
    snapshot_fingerprint(snapshot, number, &profile, &fingerprint);
    struct view_run run = history_run(snapshot, number, &profile);
    run.naming = &naming;
    run.name = entry->path;
    run.unit = entry->unit; /* the same in a whole series: it is never refused */
    run.fingerprint = &fingerprint;
    bool added = view_set_add(s->set, side, &run, text, sizeof(text));
    profile_free(&profile);
    return added;
}

static bool add_snapshot(struct search *s, enum view_side side, const struct history_entry *entry,
                         const struct snapshot *snapshot)
{
    bool added = snapshot->run_count || add_run(s, side, entry, snapshot, 0);

    for (uint32_t run = 1; added && run <= snapshot->run_count; run++)
        added = add_run(s, side, entry, snapshot, run);
    return added;
}

static void load_point(struct search *s, size_t index, enum view_side side)
{
    const struct point *point = &s->series->points[index];
    char text[TEXT_MAX];

    for (size_t i = 0; !s->failed && i < point->count && !follow_is_stopped(s); i++) {
        const struct history_entry *e = &s->history->entries[point->entries[i]];
        struct snapshot *snapshot = NULL;
        if (snapshot_load(e->path, &snapshot, text, sizeof(text)) != SNAPSHOT_OK) {
            if (!s->unqualified) /* it was said the first time */
                s->question->skip(s->question->context, text);
            continue;
        }
        s->failed = !add_snapshot(s, side, e, snapshot);
        snapshot_free(snapshot);
    }
}

/* A new trend, of no hits so far, under the name that the row has; false: no memory. */
static bool add_trend(struct search *s, const struct view_change *row)
{
    struct view_trends *all = s->trends;
    const struct history_entry *e = &s->history->entries[s->series->points[0].entries[0]];

    if (!VEC_ROOM(all->trends, s->trend_room, all->count, 1))
        return false;
    struct view_trend *t = &all->trends[all->count++];
    *t = (struct view_trend){.function = strdup(row->function),
                             .file = strdup(row->file ? row->file : ""),
                             .elf = e->elf,
                             .target = e->target,
                             .unit = e->unit,
                             .points = calloc(s->shown, sizeof(*t->points)),
                             .count = s->shown,
                             .older = s->series->count - s->shown};
    if (!t->function || !t->file || !t->points)
        return false;
    memcpy(t->points, s->common, s->common_count * sizeof(*t->points));
    return true;
}

static const char *function_of(const struct search *s, const struct change_part *part)
{
    return string_pool_text(s->set->pool, part->function);
}

/* The mark of a function that nobody follows yet; 0: it is not asked for. */
static size_t ask_for(struct search *s, const struct change_part *part,
                      const struct view_change *row)
{
    const char *function = function_of(s, part);

    if (s->failed || !function || !row->function || !is_asked(s, function))
        return 0;
    s->failed = !add_trend(s, row);
    return s->trends->count;
}

/* What the runs of a side have together. */
struct side_sum {
    struct stats_whole whole;
    size_t runs;
    bool locked, fixed, unsure;
};

static struct side_sum sum_of(const struct view_set *set, enum view_side side)
{
    struct side_sum sum = {.whole = {.located = true, .sampled = true}};

    for (size_t i = 0; i < set->run_count; i++) {
        const struct change_run *run = &set->runs[i];
        if (run->side != side)
            continue;
        sum.whole.attributed += run->hits;
        sum.whole.dropped += run->dropped;
        sum.whole.located &= run->located;
        sum.whole.decays |= run->decays;
        sum.whole.sampled &= !run->exact;
        sum.locked |= run->locked;
        sum.unsure |= run->unsure;
        sum.fixed |= run->fixed;
        sum.runs++;
    }
    return sum;
}

static struct stats_share share_of(const struct side_sum *sum, const struct stats_count *found)
{
    struct stats_share share = {.low = -1, .high = -1};

    if (sum->whole.attributed == 0)
        return share;
    share = stats_share_of(found, &sum->whole);
    if (sum->locked || sum->fixed || sum->unsure)
        share.low = share.high = -1;
    return share;
}

/* The next point, of a function that has no hits there. */
static void set_common(struct search *s, const struct side_sum *sum)
{
    const struct point *point = &s->series->points[s->common_count];
    const struct stats_count none = {.unseen = {.most = sum->whole.dropped}};
    const struct history_entry *newest = &s->history->entries[point->entries[0]];

    s->common[s->common_count++] = (struct view_trend_point){.number = point->entries[0],
                                                             .snapshots = point->count,
                                                             .runs = sum->runs,
                                                             .time_ns = newest->time_ns,
                                                             .build = newest->build,
                                                             .total = sum->whole.attributed,
                                                             .share = share_of(sum, &none),
                                                             .alone = "not there"};
}

/* What it is called there, where that is not the name of the trend. */
static void set_name(const struct view_trend *t, const char *function, struct view_trend_point *at)
{
    int len = (int)match_name_len(function);

    at->there = true;
    if (strncmp(t->function, function, (size_t)len) != 0 || t->function[len] != '\0')
        snprintf(at->name, sizeof(at->name), "%.*s", len, function);
}

/* What the point has of each function that is followed; found: room for each. */
static void set_points(struct search *s, struct stats_count *found)
{
    const struct side_sum sum = sum_of(s->set, VIEW_NEW);
    struct view_trend *trends = s->trends->trends;
    size_t index = s->common_count;

    set_common(s, &sum);
    for (size_t t = s->first; t < s->trends->count; t++)
        trends[t].points[index] = s->common[index];
    for (size_t i = 0; i < s->set->part_count; i++) {
        const struct change_part *part = &s->set->parts[i];
        if (part->mark == 0 || s->set->runs[part->run].side != VIEW_NEW)
            continue;
        struct view_trend *t = &trends[part->mark - 1];
        set_name(t, function_of(s, part), &t->points[index]);
        t->points[index].hits += part->hits;
        struct stats_count *of = &found[part->mark - 1];
        of->hits += part->hits;
        of->least += part->least;
        of->most += part->most;
        of->inherited += part->inherited;
        of->unseen.least += part->unseen.least;
        of->unseen.most += part->unseen.most;
        of->unseen.likely += part->unseen.likely;
    }
    for (size_t t = s->first; t < s->trends->count; t++)
        trends[t].points[index].share = share_of(&sum, &found[t]);
}

static void take_point(struct search *s)
{
    struct stats_count *found = calloc(s->trends->count + 1, sizeof(*found));

    s->failed = s->failed || !found;
    if (!s->failed)
        set_points(s, found);
    free(found);
}

/* The marks of a side's parts, of those whose key has none yet. Who is asked for and not followed
 * yet begins in the newest point, or where there is something older to be shown. */
static void mark_keys(struct search *s, enum view_side side, const struct view_change *rows,
                      size_t *marks)
{
    bool asks = side == VIEW_NEW ? s->common_count == 0 : s->common_count + 1 < s->shown;

    for (size_t i = 0; i < s->set->part_count; i++) {
        const struct change_part *part = &s->set->parts[i];
        if (s->set->runs[part->run].side != side || marks[part->key])
            continue;
        marks[part->key] = asks ? ask_for(s, part, &rows[part->key]) : part->mark;
    }
}

/* Who is followed in the new point is followed in the base too, whatever it was called there.
 * marks: of each key. */
static void follow(struct search *s, const struct view_change *rows, size_t *marks)
{
    mark_keys(s, VIEW_NEW, rows, marks);
    mark_keys(s, VIEW_BASE, rows, marks);
    for (size_t i = 0; i < s->set->part_count; i++)
        s->set->parts[i].mark = marks[s->set->parts[i].key];
}

static void set_changes(struct search *s, const struct view_changes *c, const size_t *marks,
                        const char *why)
{
    size_t index = s->common_count - 1;

    for (size_t t = s->first; why && t < s->trends->count; t++)
        s->trends->trends[t].points[index].alone = why;
    for (size_t key = 0; !why && key < c->count; key++) {
        if (marks[key] == 0)
            continue;
        struct view_trend_point *at = &s->trends->trends[marks[key] - 1].points[index];
        at->alone = NULL;
        at->change = c->rows[key].d;
        at->contested = c->rows[key].d.in_camp;
        snprintf(at->was, sizeof(at->was), "%s",
                 c->rows[key].old_name ? c->rows[key].old_name : "");
    }
}

static const char *why_not(const struct view_set *set)
{
    const struct side_sum base = sum_of(set, VIEW_BASE), newer = sum_of(set, VIEW_NEW);

    if (base.runs == 0 || newer.runs == 0)
        return "cannot be read";
    if (base.locked || newer.locked)
        return "locked to the firmware's tick";
    if (base.unsure || newer.unsure)
        return "lost hits are not known";
    if (base.fixed || newer.fixed)
        return "fixed timer period";
    return base.whole.attributed == 0 || newer.whole.attributed == 0 ? "no hits" : NULL;
}

/* Which rows are one, and unless *why says why not, what changed. false: no memory. */
static bool compare(struct search *s, bool first, struct view_changes *c, const char **why)
{
    const struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    char text[TEXT_MAX];

    *why = first ? "" : why_not(s->set);
    return *why ? view_set_match(s->set, &c->rows, &c->count)
                : view_changes_make(s->set, &options, c, text, sizeof(text));
}

/* first: there is no base, the new side is the oldest point. */
static void compare_points(struct search *s, bool first)
{
    struct view_changes c = {.rows = NULL};
    const char *why = NULL;
    size_t *marks = NULL;

    s->failed =
        s->failed || !compare(s, first, &c, &why) || !(marks = calloc(c.count + 1, sizeof(*marks)));
    if (!s->failed)
        follow(s, c.rows, marks);
    take_point(s);
    if (!s->failed)
        set_changes(s, &c, marks, why);
    free(marks);
    view_changes_free(&c);
}

void follow_series(struct search *s)
{
    load_point(s, 0, VIEW_NEW);
    for (size_t i = 0; !s->failed && !follow_is_stopped(s) && i < s->shown; i++) {
        bool first = i + 1 == s->series->count;
        if (!first)
            load_point(s, i + 1, VIEW_BASE);
        compare_points(s, first);
        if (!s->failed)
            view_set_turn(s->set);
    }
}
