/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a point: what its snapshots hold, and no more of them. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ranking/rows.h>

#include "points.h"

const char point_unnamed[] = "(no name)";

/* Room for rows that are not there yet; no run has hits in them. */
static bool reserve(struct point_data *p, size_t more)
{
    struct point_row *rows = realloc(p->rows, (p->row_count + more + 1) * sizeof(*rows));

    if (!rows)
        return false;
    p->rows = rows;
    for (size_t i = 0; i < p->run_count; i++) {
        struct diff_hits *hits =
            realloc(p->runs[i].hits, (p->row_count + more + 1) * sizeof(*hits));
        if (!hits)
            return false;
        memset(&hits[p->row_count], 0, (more + 1) * sizeof(*hits));
        p->runs[i].hits = hits;
    }
    return true;
}

/* Keys are numbered as they come, and so are the rows: function and file are a row's key. */
static pool_id add_key(struct point_data *p, pool_id file, const char *function)
{
    size_t capacity = strlen(function) + 16;
    char *key = malloc(capacity);

    if (!key)
        return 0;
    snprintf(key, capacity, "%u %s", (unsigned)file, function);
    pool_id id = pool_add(p->keys, key);
    free(key);
    return id;
}

/* The number of the function's row, which is made if there is none; SIZE_MAX: no memory. */
static size_t row_of(struct point_data *p, const struct view_row *from)
{
    pool_id file = pool_add(p->files, from->function ? from->file : NULL);
    pool_id key = add_key(p, file, from->function ? from->function : point_unnamed);

    if (key == 0 || pool_failed(p->files))
        return SIZE_MAX;
    if (key > p->row_count)
        p->rows[p->row_count++] =
            (struct point_row){.function = strchr(pool_text(p->keys, key), ' ') + 1,
                               .file = pool_text(p->files, file),
                               .trend = SIZE_MAX};
    return key - 1;
}

static bool add_rows(struct point_data *p, const struct view_rows *rows)
{
    struct diff_hits *hits = p->runs[p->run_count - 1].hits;

    for (size_t i = 0; i < rows->count; i++) {
        size_t row = row_of(p, &rows->rows[i]);
        if (row == SIZE_MAX)
            return false;
        hits[row].hits += rows->rows[i].hits;
        hits[row].inherited += rows->rows[i].inherited;
    }
    return true;
}

/* Counts only go up: a run whose counts are all reached by a later reading since the reset is a
 * part of that, or as good as that. */
static bool is_contained(const struct point_data *p, const struct point_run *run,
                         const struct point_run *in)
{
    if (!in->whole || run->attributed > in->attributed)
        return false;
    for (size_t i = 0; i < p->row_count; i++) {
        if (run->hits[i].hits > in->hits[i].hits)
            return false;
    }
    return true;
}

static void drop_run(struct point_data *p, size_t index)
{
    free(p->runs[index].hits);
    p->run_count--;
    memmove(&p->runs[index], &p->runs[index + 1], (p->run_count - index) * sizeof(*p->runs));
}

/* Nothing is to be counted twice. Runs of a time are kept rather than what contains them: several
 * show what runs differ by. The last run is the oldest one. */
static void drop_contained(struct point_data *p)
{
    for (size_t i = 0; i + 1 < p->run_count;) {
        size_t last = p->run_count - 1;
        if (!is_contained(p, &p->runs[last], &p->runs[i]))
            i++;
        else if (p->runs[last].whole)
            drop_run(p, last);
        else
            drop_run(p, i);
    }
}

static bool add_run(struct point_data *p, const struct snapshot *s, const struct profile *profile,
                    size_t more)
{
    struct point_run *runs = realloc(p->runs, (p->run_count + 1) * sizeof(*runs));

    p->files = p->files ? p->files : pool_new();
    p->keys = p->keys ? p->keys : pool_new();
    if (!runs)
        return false;
    p->runs = runs;
    if (!p->files || !p->keys || !reserve(p, more))
        return false;
    runs[p->run_count] = (struct point_run){
        .hits = calloc(p->row_count + more + 1, sizeof(struct diff_hits)),
        .attributed = profile->attributed,
        .dropped = profile->dropped,
        .sample_hz = profile->sample_hz,
        .duration_s = s->duration_ns > 0 ? (double)s->duration_ns * 1e-9 : 0,
        .locked = profile->locked,
        .whole = s->duration_ns <= 0,
    };
    return runs[p->run_count++].hits != NULL;
}

bool point_add(struct point_data *point, const struct snapshot *snapshot)
{
    const struct symbol_naming naming = snapshot_naming(snapshot);
    uint32_t type = snapshot_choose_type(snapshot, NULL, false);
    struct profile profile;
    struct view_rows rows;
    char text[200];

    /* That it can be ranked was seen when the history was read. */
    if (snapshot_profile(snapshot, type, &profile, text, sizeof(text)) != SNAPSHOT_OK)
        return true;
    bool done = view_rows_build_named(&profile, &naming, VIEW_BY_FUNCTION, NULL, &rows);
    if (done) {
        point->exact = profile.unit == DECODE_UNIT_CALLS;
        done = add_run(point, snapshot, &profile, rows.count) && add_rows(point, &rows);
        if (done)
            drop_contained(point);
        view_rows_free(&rows);
    }
    profile_free(&profile);
    return done;
}

void point_free(struct point_data *point)
{
    for (size_t i = 0; i < point->run_count; i++)
        free(point->runs[i].hits);
    free(point->rows);
    free(point->runs);
    pool_free(point->files);
    pool_free(point->keys);
    *point = (struct point_data){.rows = NULL};
}
