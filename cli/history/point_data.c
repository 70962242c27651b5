/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a point: what its snapshots hold, and no more of them. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include <view/rows.h>

#include "points.h"

const char point_unnamed[] = "(no name)";

static int order_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int order_rows(const void *a, const void *b)
{
    const struct point_row *x = a, *y = b;
    int order = strcmp(x->function, y->function);

    return order ? order : order_texts(x->file, y->file);
}

static struct point_row key_of(const struct view_row *row)
{
    return (struct point_row){
        .function = row->function ? row->function : point_unnamed,
        .file = row->function ? row->file : NULL,
        .trend = SIZE_MAX,
    };
}

static struct point_row *find_row(const struct point_data *p, const struct point_row *key)
{
    if (p->row_count == 0)
        return NULL;
    return bsearch(key, p->rows, p->row_count, sizeof(*p->rows), order_rows);
}

/* Room for the rows that are not there yet. */
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
        p->runs[i].hits = hits;
    }
    return true;
}

/* With texts of its own. */
static bool copy_row(const struct point_row *from, struct point_row *to)
{
    size_t len = strlen(from->function) + 1, file_len = from->file ? strlen(from->file) + 1 : 0;
    char *texts = malloc(len + file_len);

    if (!texts)
        return false;
    memcpy(texts, from->function, len);
    if (from->file)
        memcpy(texts + len, from->file, file_len);
    *to = (struct point_row){.function = texts,
                             .file = from->file ? texts + len : NULL,
                             .texts = texts,
                             .trend = SIZE_MAX};
    return true;
}

static void set_hits(struct point_data *p, size_t to, const size_t *from)
{
    for (size_t i = 0; i < p->run_count; i++) {
        struct diff_hits *hits = p->runs[i].hits;
        hits[to] = from ? hits[*from] : (struct diff_hits){.hits = 0};
    }
}

/* Merges rows that are not there yet, in order, from the end on; the hits of all runs move too. */
static void insert_rows(struct point_data *p, const struct point_row *rows, size_t count)
{
    size_t left = p->row_count, to = p->row_count + count;

    p->row_count = to;
    while (count > 0) {
        size_t from = left - 1;
        to--;
        if (left > 0 && order_rows(&p->rows[from], &rows[count - 1]) > 0) {
            p->rows[to] = p->rows[from];
            set_hits(p, to, &from);
            left--;
        } else {
            p->rows[to] = rows[--count];
            set_hits(p, to, NULL);
        }
    }
}

static size_t find_missing(const struct point_data *p, const struct view_rows *rows,
                           struct point_row *missing)
{
    size_t found = 0, count = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct point_row key = key_of(&rows->rows[i]);
        if (!find_row(p, &key))
            missing[found++] = key;
    }
    if (found)
        qsort(missing, found, sizeof(*missing), order_rows);
    for (size_t i = 0; i < found; i++) {
        if (count == 0 || order_rows(&missing[count - 1], &missing[i]) != 0)
            missing[count++] = missing[i];
    }
    return count;
}

static bool add_missing(struct point_data *p, const struct view_rows *rows)
{
    struct point_row *missing = calloc(rows->count + 1, sizeof(*missing));
    size_t count = missing ? find_missing(p, rows, missing) : 0, copied = 0;
    bool done = missing != NULL;

    while (done && copied < count) {
        struct point_row row;
        done = copy_row(&missing[copied], &row);
        if (done)
            missing[copied++] = row;
    }
    insert_rows(p, missing, copied);
    free(missing);
    return done;
}

static bool add_rows(struct point_data *p, const struct view_rows *rows)
{
    struct diff_hits *hits = p->runs[p->run_count - 1].hits;

    if (!add_missing(p, rows))
        return false;
    for (size_t i = 0; i < rows->count; i++) {
        const struct point_row key = key_of(&rows->rows[i]);
        struct diff_hits *to = &hits[find_row(p, &key) - p->rows];
        to->hits += rows->rows[i].hits;
        to->inherited += rows->rows[i].inherited;
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

    if (!runs)
        return false;
    p->runs = runs;
    if (!reserve(p, more))
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
    for (size_t i = 0; i < point->row_count; i++)
        free(point->rows[i].texts);
    for (size_t i = 0; i < point->run_count; i++)
        free(point->runs[i].hits);
    free(point->rows);
    free(point->runs);
    *point = (struct point_data){.rows = NULL};
}
