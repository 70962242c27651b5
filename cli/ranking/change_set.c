/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots to rows: one at a time, so that only their rows and names are kept. */
#include <ranking/change_set.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <profile/unsure.h>
#include <ranking/context.h>

static bool refuse(char *text, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(char *text, size_t capacity, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(text, capacity, format, args);
    va_end(args);
    return false;
}

struct view_set *view_set_new(enum view_by by, const struct view_ignore *ignore)
{
    struct view_set *set = calloc(1, sizeof(*set));

    if (!set)
        return NULL;
    *set = (struct view_set){.by = by, .ignore = ignore, .pool = string_pool_new()};
    if (set->pool)
        return set;
    free(set);
    return NULL;
}

void view_set_free(struct view_set *set)
{
    if (!set)
        return;
    for (int side = 0; side < VIEW_SIDES; side++)
        free(set->names[side]);
    for (size_t i = 0; i < set->run_count; i++)
        free(set->runs[i].fingerprint);
    string_pool_free(set->pool);
    free(set->parts);
    free(set->runs);
    free(set);
}

/* How many runs stay. */
static size_t number_runs(struct view_set *set)
{
    uint32_t count = 0;

    for (size_t i = 0; i < set->run_count; i++) {
        set->runs[i].number = count;
        count += !set->runs[i].gone;
    }
    return count;
}

void change_drop(struct view_set *set)
{
    size_t runs = number_runs(set), parts = 0;

    for (size_t i = 0; i < set->part_count; i++) {
        const struct change_run *run = &set->runs[set->parts[i].run];
        if (run->gone)
            continue;
        set->parts[parts] = set->parts[i];
        set->parts[parts++].run = run->number;
    }
    for (size_t i = 0; i < set->run_count; i++) {
        const struct change_run run = set->runs[i];
        if (run.gone)
            free(run.fingerprint);
        else
            set->runs[run.number] = run;
    }
    set->run_count = runs;
    set->part_count = parts;
}

void view_set_turn(struct view_set *set)
{
    for (size_t i = 0; i < set->run_count; i++) {
        set->runs[i].gone = set->runs[i].side == VIEW_NEW;
        set->runs[i].side = VIEW_NEW;
    }
    change_drop(set);
}

/* Of a function where it is known. */
static uint64_t size_of(const struct view_set *set, const struct view_run *run,
                        const struct view_row *row)
{
    const struct symtab_function *function = NULL;

    if (set->by == VIEW_BY_FUNCTION && row->function && run->naming->find)
        function = run->naming->find(run->naming->context, row->addr);
    return function && function->addr == row->addr ? function->size : 0;
}

static struct change_part part_of(struct view_set *set, const struct view_run *run,
                                  const struct view_row *row)
{
    return (struct change_part){.function = string_pool_add(set->pool, row->function),
                                .caller = string_pool_add(set->pool, row->caller),
                                .file = string_pool_add(set->pool, row->file),
                                .line = row->line,
                                .run = (uint32_t)set->run_count,
                                .unplaced = row->unplaced,
                                .addr = row->addr,
                                .caller_addr = row->caller_addr,
                                .hits = row->hits,
                                .inherited = row->inherited,
                                .least = row->least,
                                .most = row->most,
                                .unseen = row->unseen,
                                .spread = row->spread,
                                .idle = row->context == VIEW_CONTEXT_IDLE,
                                .size = size_of(set, run, row)};
}

/* One of the set's own. */
static bool copy_fingerprint(struct view_set *set, const struct fingerprint *from,
                             struct fingerprint **to)
{
    *to = from ? malloc(sizeof(**to)) : NULL;
    if (!*to)
        return !from;
    **to = *from;
    (*to)->build = string_pool_text(set->pool, string_pool_add(set->pool, from->build));
    return true;
}

static bool add_run(struct view_set *set, enum view_side side, const struct view_run *run,
                    const struct view_rows *rows)
{
    const struct profile *p = run->profile;

    set->runs[set->run_count++] =
        (struct change_run){.side = side,
                            .name = string_pool_add(set->pool, run->name),
                            .elf = string_pool_add(set->pool, run->elf),
                            .build_id = string_pool_add(set->pool, run->build_id),
                            .unit = string_pool_add(set->pool, run->unit),
                            .start = run->start,
                            .sample_hz = run->sample_hz,
                            .duration_s = run->duration_s,
                            .iterations = run->iterations,
                            .hits = rows->attributed,
                            .dropped = rows->profile->dropped, /* of contexts, nothing is lost */
                            .located = rows->profile->rest.counts != NULL,
                            .ignored = p->ignored + rows->ignored,
                            .slept = p->sleeping,
                            .events = p->unit == DECODE_UNIT_SAMPLES ? p->heartbeat : 0,
                            .counting_only = view_counting_only(rows),
                            .block_size = p->block_size,
                            .exact = p->unit != DECODE_UNIT_SAMPLES,
                            .locked = p->locked,
                            .fixed = p->fixed,
                            .unsure = !p->locked && !p->fixed && !profile_has_intervals(p),
                            .headerless = p->headerless,
                            .decays = run->decays,
                            .one_boot = run->one_boot,
                            .differs = run->differs};
    return copy_fingerprint(set, run->fingerprint, &set->runs[set->run_count - 1].fingerprint) &&
           !string_pool_failed(set->pool);
}

static bool add_rows(struct view_set *set, enum view_side side, const struct view_run *run,
                     const struct view_rows *rows)
{
    /* Parts are of a run that there is. */
    if (!VEC_ROOM(set->runs, set->run_room, set->run_count, 1) ||
        !VEC_ROOM(set->parts, set->part_room, set->part_count, rows->count))
        return false;
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].hits != 0)
            set->parts[set->part_count++] = part_of(set, run, &rows->rows[i]);
    }
    return add_run(set, side, run, rows);
}

/* Rows by context get their names by being marked. */
static bool add_named(struct view_set *set, enum view_side side, const struct view_run *run,
                      struct view_rows *rows)
{
    struct view_contexts *contexts = set->by == VIEW_BY_CONTEXT ? view_contexts_new(NULL) : NULL;

    if (set->by == VIEW_BY_CONTEXT && !contexts)
        return false;
    if (contexts)
        view_contexts_mark(contexts, rows);
    bool added = add_rows(set, side, run, rows);
    view_contexts_free(contexts);
    return added;
}

bool view_set_add(struct view_set *set, enum view_side side, const struct view_run *run, char *text,
                  size_t capacity)
{
    const struct change_run *first = set->run_count ? &set->runs[0] : NULL;
    struct view_rows rows;

    if (first && strcmp(string_pool_text(set->pool, first->unit), run->unit) != 0)
        return refuse(text, capacity, "%s counts %s and %s counts %s: choose one with --type",
                      string_pool_text(set->pool, first->name),
                      string_pool_text(set->pool, first->unit), run->name, run->unit);
    if (set->by == VIEW_BY_CONTEXT && !view_has_contexts(run->profile))
        return refuse(text, capacity,
                      "%s does not say what tasks and exceptions had: build the firmware with "
                      "MPROF_TASK, or use --by function",
                      run->name);
    if (!view_rows_build_named(run->profile, run->naming, set->by, set->ignore, &rows))
        return refuse(text, capacity, "%s: out of memory", run->name);
    bool added = add_named(set, side, run, &rows);
    view_rows_free(&rows);
    return added || refuse(text, capacity, "%s: out of memory", run->name);
}
