/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits by address to rows by name, with their shares and intervals. */
#include <ranking/rows.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <profile/unsure.h>
#include <ranking/row_key.h>
#include <ranking/usage.h>

#include "row_naming.h"
#include "row_parts.h"
#include "unseen.h"

static int order_name(const void *a, const void *b)
{
    const struct view_row *const *x = a;
    const struct view_row *const *y = b;

    return strcmp((*x)->function, (*y)->function);
}

/* Rows of functions whose names are the same, as static ones of two files may be. */
static bool find_twins(struct parts *parts)
{
    struct view_row **named = malloc((parts->count + 1) * sizeof(*named));
    size_t count = 0;

    if (!named)
        return false;
    for (size_t i = 0; i < parts->count; i++)
        if (parts->rows[i].function)
            named[count++] = &parts->rows[i];
    qsort(named, count, sizeof(*named), order_name);
    for (size_t i = 1; i < count; i++)
        if (order_name(&named[i - 1], &named[i]) == 0)
            named[i - 1]->twin = named[i]->twin = true;
    free(named);
    return true;
}

/* For how long was counted: by the clock that rates are of, or, where its start is not known, by
 * the source's ticks, which stop with the target. */
static double counted_s(const struct profile *p)
{
    if (p->from_s > 0)
        return p->updated_s - p->from_s;
    if (p->unit == DECODE_UNIT_SAMPLES && p->sample_hz && p->heartbeat)
        return (double)p->heartbeat / p->sample_hz;
    return 0;
}

/* Part of the last interval's time, of all cores, as the CPU line has it; < 0: not known. Hits by
 * context are read later than the samples whose time is known: only their proportions are used. */
static double cpu_of(const struct view_rows *rows, uint64_t recent)
{
    const struct profile *p = rows->samples;
    double expected = view_usage_expected(p, p->recent_s), part = (double)recent;

    if (rows->profile != p && rows->profile->recent != 0)
        part *= (double)p->recent / (double)rows->profile->recent;
    double came = fmax(p->events, (double)p->recent + p->slept);
    return expected > 0 ? part / fmax(expected, came) : -1;
}

struct stats_whole view_whole(const struct profile *profile, uint64_t attributed)
{
    bool located = profile->rest.counts != NULL;

    return (struct stats_whole){
        .attributed = attributed,
        .dropped = located ? profile_rest_sum(&profile->rest) : profile->dropped,
        .located = located,
        .decays = profile->decays,
        .sampled = profile->unit == DECODE_UNIT_SAMPLES,
        .spread = profile->spread,
    };
}

void view_row_work_out(const struct view_rows *rows, struct view_row *row)
{
    const struct profile *p = rows->profile;
    uint64_t recent = p->recent - rows->ignored_recent;

    /* Decay is as much a part of the count as the hits are. */
    row->fell = row->lost > row->recent;
    row->recent = row->fell ? 0 : row->recent - row->lost;
    row->lost = row->fell ? row->lost : 0;
    bool timed = p->recent_s > 0 && !row->fell;
    struct stats_whole whole = view_whole(p, rows->attributed);
    if (rows->numbered)
        whole.spread = p->task_spread;
    /* Samples of a batch are alike, and a diff has no other word of it. */
    row->spread = fmax(wander_spread(&row->wander, &rows->wander, rows->cosines), whole.spread);
    const struct stats_count count = {.hits = row->hits,
                                      .inherited = row->inherited,
                                      .least = row->least,
                                      .most = row->most,
                                      .unseen = row->unseen,
                                      .spread = row->spread};
    whole.left_out = rows->ignored_unseen;
    row->share = stats_share_of(&count, &whole);
    if (!profile_has_intervals(p)) /* an error that is no chance has none */
        row->share.low = row->share.high = -1;
    row->rate = timed ? (double)row->recent / p->recent_s : -1;
    row->mean = counted_s(p) > 0 ? (double)row->hits / counted_s(p) : -1;
    row->cpu = timed ? cpu_of(rows, row->recent) : -1;
    row->recent_share = timed && recent != 0 ? (double)row->recent / (double)recent : -1;
}

static void work_out_without(struct view_rows *rows)
{
    const struct stats_count none = {.unseen = {.most = rows->without.most}};
    struct stats_whole whole = view_whole(rows->profile, rows->attributed);

    whole.left_out = rows->ignored_unseen;
    rows->without.high =
        profile_has_intervals(rows->profile) ? stats_share_of(&none, &whole).high : -1;
}

/* Where a function stands in the source is asked once a row, not once a block. */
static void finish(struct naming *n, struct view_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        wander_add(&rows->wander, &rows->rows[i].wander, 1);
    for (size_t i = 0; i < rows->count; i++) {
        struct view_row *row = &rows->rows[i];
        bool by_function = naming_is_by_function(n->by) && !row->inlined;
        if (by_function && row->function)
            naming_start(n, row);
        else if ((by_function && !n->exceptions) || n->by == VIEW_BY_ADDRESS)
            naming_line(n, row->addr, row);
        if (n->by == VIEW_BY_FILE)
            row->line = 0;
        row->unplaced = n->names.unplaced || n->exceptions;
        view_row_work_out(rows, row);
        if (rows->stacks) /* of stacks it is not known which are new */
            row->recent_share = row->rate = row->cpu = -1;
    }
}

bool view_has_contexts(const struct profile *profile)
{
    return profile->exceptions || profile->tasks;
}

/* What rows are made of. Which functions a task or an exception was in, its count does not say. */
static const struct profile *chosen(const struct profile *profile, enum view_by by,
                                    const struct view_ignore *ignore)
{
    bool whole = !ignore || (ignore->count == 0 && !ignore->some_contexts);

    return by == VIEW_BY_CONTEXT && profile->by_context && whole ? profile->by_context : profile;
}

bool view_rows_build_named(const struct profile *samples, const struct symbol_naming *names,
                           enum view_by by, const struct view_ignore *ignore, struct view_rows *out)
{
    const struct profile *profile = chosen(samples, by, ignore);
    bool numbered =
        by == VIEW_BY_CONTEXT && (profile->exceptions || (profile->tasks && !profile->by_context));
    struct naming naming = {
        .names = *names,
        .by = by,
        .exceptions = numbered,
        .made = by == VIEW_BY_INLINE ? string_pool_new() : NULL,
    };
    struct parts parts = {.by = by, .exceptions = naming.exceptions};
    struct stats_unseen ignored_unseen = {.least = 0};
    struct view_without_row without = {.most = 0};
    bool total = by == VIEW_BY_TOTAL && profile->stacks;

    if (ignore && (ignore->count != 0 || ignore->some_contexts))
        naming.ignore = ignore;

    bool done = (by != VIEW_BY_INLINE || naming.made) &&
                parts_make(&naming, profile, total, &parts) &&
                unseen_work_out(&naming, profile, parts.rows, parts.count, parts_order_of(&parts),
                                &ignored_unseen, &without);
    if (done && (by == VIEW_BY_FUNCTION || by == VIEW_BY_INLINE || by == VIEW_BY_TOTAL))
        done = find_twins(&parts);
    if (!done || (naming.made && string_pool_failed(naming.made))) {
        string_pool_free(naming.made);
        free(parts.rows);
        return false;
    }
    *out = (struct view_rows){
        .rows = parts.rows,
        .count = parts.count,
        .attributed =
            (total ? profile_stacks_hits(profile->stacks) : profile->attributed) - parts.ignored,
        .ignored = parts.ignored,
        .ignored_unseen = ignored_unseen,
        .ignored_recent = parts.ignored_recent,
        .cosines = total ? 0 : profile->wander.cosines,
        .without = without,
        .arcs = by == VIEW_BY_ARC,
        .stacks = total,
        .made = naming.made,
        .by = by,
        .exceptions = profile->exceptions,
        .numbered = numbered,
        .samples = samples,
        .late = profile->lateness,
        .profile = profile,
        .ignore = naming.ignore};
    finish(&naming, out);
    work_out_without(out);
    return true;
}

bool view_rows_build(const struct profile *profile, struct symtab *symtab, enum view_by by,
                     const struct view_ignore *ignore, struct view_rows *out)
{
    const struct symbol_naming names = symtab_naming(symtab);

    return view_rows_build_named(profile, &names, by, ignore, out);
}

bool view_counting_only(const struct view_rows *rows)
{
    const struct profile *p = rows->profile;

    return p && rows->cosines == 0 && p->spread <= 1 && rows->attributed != 0 &&
           p->unit == DECODE_UNIT_SAMPLES && profile_has_intervals(p);
}

void view_rows_free(struct view_rows *rows)
{
    free(rows->rows);
    string_pool_free(rows->made);
    *rows = (struct view_rows){.rows = NULL};
}

const char *view_context_name(enum view_context context)
{
    static const char *const names[VIEW_CONTEXTS] = {"task", "interrupt", "idle"};

    return names[context];
}

bool view_by_parse(const char *word, enum view_by *by)
{
    static const char *const words[] = {
        [VIEW_BY_FUNCTION] = "function", [VIEW_BY_LINE] = "line",   [VIEW_BY_FILE] = "file",
        [VIEW_BY_ADDRESS] = "address",   [VIEW_BY_ARC] = "arc",     [VIEW_BY_INLINE] = "inline",
        [VIEW_BY_CONTEXT] = "context",   [VIEW_BY_TOTAL] = "total",
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(word, words[i]) == 0) {
            *by = (enum view_by)i;
            return true;
        }
    }
    return false;
}
