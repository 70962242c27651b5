/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides of runs, row by row (docs/statistics.md). */
#include <profile/diff.h>

#include <stdlib.h>

#include "contrast.h"
#include "diff_row.h"
#include "special.h"

/* Rows that turn out to have changed leave the median, at most so many times. */
#define PASSES 32

/* The part of the error that is given out by share; the rest is the same for every row. */
static const double by_share = 0.9;

/* With fewer hits no row can ever be significant, so it costs the others nothing. */
static const double fewest = 5;

/* A core that was idle for this part of each run has time left; for less than that part, none. */
static const double idles = 0.01, full = 0.002;

/* Whether what may have been lost is not small compared with the error of counting. */
static bool is_lossy(const struct diff_problem *p, const struct diff_work *row)
{
    for (int side = 0; side < DIFF_SIDES; side++) {
        double off = p->options->exact ? 1 : sqrt(row->hits[side]);
        if (row->hits[side] > 0 && row->most[side] - row->least[side] > off / 2)
            return true;
    }
    return false;
}

static void add_run(struct diff_problem *p, size_t k)
{
    const struct diff_snapshot *snapshot = diff_run(p, k);
    int side = k < p->sides[DIFF_BASE].count ? DIFF_BASE : DIFF_NEWER;

    for (size_t i = 0; i < p->count; i++) {
        double hits = (double)snapshot->rows[i].hits, least, most;
        diff_ends(snapshot, i, &least, &most);
        p->rows[i].hits[side] += hits;
        p->rows[i].least[side] += least;
        p->rows[i].most[side] += most;
        p->run_totals[k] += hits;
        p->logs[i * p->runs + k] = log(hits + 0.5);
    }
    p->totals[side] += p->run_totals[k];
}

/* The larger the share, the larger the part of the error, so that small rows cost large ones
 * little. Weights come from the hits of both sides together, which say nothing about the change. */
static void set_weights(struct diff_problem *p)
{
    double hits = 0, count = 0;

    for (size_t i = 0; i < p->count; i++) {
        bool counts = p->rows[i].tested && p->rows[i].all >= fewest;
        hits += counts ? p->rows[i].all : 0;
        count += counts;
    }
    for (size_t i = 0; i < p->count; i++) {
        struct diff_work *row = &p->rows[i];
        if (row->tested && row->all >= fewest)
            row->weight = by_share * row->all / hits + (1 - by_share) / count;
    }
}

static void add_up(struct diff_problem *p)
{
    const struct diff_options *o = p->options;

    for (size_t k = 0; k < p->runs; k++)
        add_run(p, k);
    for (size_t i = 0; i < p->count; i++) {
        struct diff_work *row = &p->rows[i];
        bool reference = p->per == DIFF_PER_FUNCTION && i == o->reference;
        row->all = row->hits[DIFF_BASE] + row->hits[DIFF_NEWER];
        row->tested = row->all > 0 && !reference && !(o->idle && o->idle[i]);
        row->excluded = !row->tested;
        row->spread = row->trust = row->floor2 = 1;
        row->y = p->kept->y + i * p->kept->contrasts;
        row->lossy = is_lossy(p, row);
    }
    set_weights(p);
}

static bool all_have(const struct diff_problem *p, enum diff_per per)
{
    for (size_t k = 0; k < p->runs; k++) {
        const struct diff_snapshot *s = diff_run(p, k);
        bool timed = s->duration_s > 0 && (p->options->exact || s->sample_hz > 0);
        if (per == DIFF_PER_ITERATION ? !(s->iterations > 0) : !timed)
            return false;
    }
    return true;
}

static enum diff_load load_of(const struct diff_problem *p)
{
    double least = 1, most = 0;

    for (size_t k = 0; k < p->runs; k++) {
        least = fmin(least, diff_run(p, k)->idle);
        most = fmax(most, diff_run(p, k)->idle);
    }
    return least >= idles ? DIFF_LOAD_IDLES : most < full ? DIFF_LOAD_FULL : DIFF_LOAD_BETWEEN;
}

static enum diff_per choose_per(const struct diff_problem *p, enum diff_load load)
{
    if (p->options->per != DIFF_PER_AUTO)
        return p->options->per;
    if (all_have(p, DIFF_PER_ITERATION))
        return DIFF_PER_ITERATION;
    return load == DIFF_LOAD_IDLES && all_have(p, DIFF_PER_SECOND) ? DIFF_PER_SECOND
                                                                   : DIFF_PER_MEDIAN;
}

static enum diff_code check(const struct diff_problem *p)
{
    const struct diff_options *o = p->options;

    if (p->totals[DIFF_BASE] <= 0 || p->totals[DIFF_NEWER] <= 0)
        return DIFF_EEMPTY;
    if (p->per == DIFF_PER_SECOND && !all_have(p, DIFF_PER_SECOND))
        return DIFF_ETIME;
    if (p->per == DIFF_PER_ITERATION && !all_have(p, DIFF_PER_ITERATION))
        return DIFF_EITERATION;
    if (p->per == DIFF_PER_FUNCTION &&
        (o->reference >= p->count || p->rows[o->reference].hits[DIFF_BASE] <= 0 ||
         p->rows[o->reference].hits[DIFF_NEWER] <= 0))
        return DIFF_EREFERENCE;
    return DIFF_OK;
}

/* One run a side shows no noise; then only a question that says what it is can be answered. */
static bool is_judged(const struct diff_problem *p)
{
    const struct diff_kept *kept = p->kept;

    return kept->contrasts > 1 || p->options->noise >= 0 ||
           (p->options->repeated && !p->options->exact);
}

static bool is_decided(const struct diff_problem *p, const struct diff_work *row)
{
    return is_judged(p) && row->tested && row->others.hits[DIFF_BASE] > 0 &&
           row->others.hits[DIFF_NEWER] > 0;
}

/* Fills in p of all rows by counting, and by what runs differ by. */
static bool test_rows(struct diff_problem *p, struct diff *diff)
{
    struct diff_item *items = calloc(p->count + 1, sizeof(*items));

    if (!items)
        return false;
    for (size_t i = 0; i < p->count; i++) {
        struct diff_work *row = &p->rows[i];
        bool decided = is_decided(p, row);
        row->p_count = decided ? diff_row_p(p->kept, row, 1, &row->direction) : 1;
        items[i] = diff_item_of(row);
        items[i].weight = decided ? row->weight : 0;
    }
    bool ok = diff_decide(items, p->count, p->kept->contrasts, false);
    for (size_t i = 0; ok && i < p->count; i++) {
        struct diff_row *to = &diff->rows[i];
        struct diff_work *row = &p->rows[i];
        bool decided = is_decided(p, row);
        to->p = decided ? fmax(row->p_count, diff_row_p_runs(p->kept, row)) : NAN;
        to->adjusted = decided ? items[i].adjusted : NAN;
        to->significant = to->adjusted <= p->options->fdr && row->direction != 0;
        to->direction = to->significant ? row->direction : 0;
    }
    free(items);
    return ok;
}

/* The most significant row that still has a say in the median; count: none. */
static size_t next_to_leave(const struct diff_problem *p, const struct diff *diff)
{
    size_t best = p->count;

    for (size_t i = 0; i < p->count; i++) {
        const struct diff_row *row = &diff->rows[i];
        if (row->significant && !p->rows[i].excluded &&
            (best == p->count || row->p < diff->rows[best].p))
            best = i;
    }
    return best;
}

/* What is significant leaves the median, one row at a time: others may only have seemed to change
 * because that one did. Returns false if none does. */
static bool exclude(struct diff_problem *p, const struct diff *diff)
{
    size_t leaves = next_to_leave(p, diff);

    if (leaves == p->count)
        return false;
    p->rows[leaves].excluded = true;
    for (size_t i = 0; i < p->count; i++) {
        if (diff->rows[i].significant && p->rows[i].trust <= 0)
            p->rows[i].excluded = true;
    }
    return true;
}

/* Of rows in two camps is not known which changed. */
static void forget_camps(struct diff *diff)
{
    for (size_t i = 0; diff->contested && i < diff->count; i++) {
        struct diff_row *row = &diff->rows[i];
        if (!row->in_camp)
            continue;
        row->p = row->adjusted = NAN;
        row->significant = false;
        row->direction = 0;
    }
}

static bool compare(struct diff_problem *p, struct diff *diff)
{
    bool again = true;

    for (int pass = 0; pass < 2; pass++) {
        diff_reference(p, diff);
        diff_noise(p);
    }
    for (int pass = 0; again && pass < PASSES; pass++) {
        if (!test_rows(p, diff))
            return false;
        again = p->per == DIFF_PER_MEDIAN && exclude(p, diff);
        if (again) {
            diff_reference(p, diff);
            diff_noise(p);
        }
    }
    for (size_t i = 0; i < p->count; i++)
        diff_row_fill(p, i, &diff->rows[i]);
    if (p->per == DIFF_PER_MEDIAN && is_judged(p))
        diff_rival(p, diff);
    forget_camps(diff);
    diff->together = p->per == DIFF_PER_SECOND ? diff_together(p) : 0;
    return true;
}

static enum diff_code run(struct diff_problem *p, struct diff *diff)
{
    diff->load = load_of(p);
    p->per = diff->per = choose_per(p, diff->load);
    add_up(p);
    enum diff_code code = check(p);
    if (code != DIFF_OK)
        return code;
    diff->scale = p->totals[DIFF_NEWER] / p->totals[DIFF_BASE];
    if (!compare(p, diff))
        return DIFF_EMEMORY;
    diff->noise = sqrt(p->kept->noise2);
    return DIFF_OK;
}

static void free_kept(struct diff_kept *kept)
{
    if (!kept)
        return;
    free(kept->rows);
    free(kept->y);
    free(kept);
}

/* The newest runs: a side with more of them would have a part in the noise that it has not in the
 * difference. */
static struct diff_side newest(const struct diff_side *side, size_t count)
{
    return (struct diff_side){.snapshots = side->snapshots + (side->count - count), .count = count};
}

static bool make_room(struct diff_problem *p, struct diff *diff)
{
    size_t rows = p->count + 1, runs = p->runs;
    struct diff_kept *kept = p->kept = diff->kept = calloc(1, sizeof(*kept));

    if (!kept)
        return false;
    diff->rows = calloc(rows, sizeof(*diff->rows));
    kept->rows = p->rows = calloc(rows, sizeof(*p->rows));
    kept->y = calloc(rows * runs, sizeof(*kept->y));
    p->points = calloc(rows, sizeof(*p->points));
    p->logs = calloc(rows * runs, sizeof(*p->logs));
    p->run_totals = calloc(runs, sizeof(*p->run_totals));
    p->reference = calloc(3 * runs * (1 + DIFF_LARGE), sizeof(*p->reference));
    kept->count = p->count;
    kept->contrasts = runs - 1;
    kept->exact = p->options->exact;
    kept->repeated = p->options->repeated;
    for (int side = 0; side < DIFF_SIDES; side++)
        kept->runs[side] = (double)p->sides[side].count;
    return diff->rows && kept->rows && kept->y && p->points && p->logs && p->run_totals &&
           p->reference;
}

enum diff_code diff_make(const struct diff_side *base, const struct diff_side *newer,
                         size_t row_count, const struct diff_options *options, struct diff *out)
{
    size_t fewer = base->count < newer->count ? base->count : newer->count;
    size_t runs = fewer < DIFF_RUNS_MAX ? fewer : DIFF_RUNS_MAX;
    struct diff diff = {.count = row_count, .runs = runs, .rival = NAN, .support = NAN};
    struct diff_problem p = {.sides = {newest(base, runs), newest(newer, runs)},
                             .options = options,
                             .count = row_count,
                             .runs = 2 * runs};
    enum diff_code code = make_room(&p, &diff) ? run(&p, &diff) : DIFF_EMEMORY;

    free(p.points);
    free(p.logs);
    free(p.run_totals);
    free(p.reference);
    if (code == DIFF_OK)
        *out = diff;
    else
        diff_free(&diff);
    return code;
}

/* The limits share the error as rows do. */
static void set_limit_weights(const struct diff_kept *kept, const struct diff_limit *limits,
                              struct diff_item *items, size_t count)
{
    double all = 0, members = 0;

    for (size_t i = 0; i < count; i++) {
        double weight = kept->rows[limits[i].row].weight;
        items[i].weight = isnan(limits[i].adjusted) ? 0 : weight;
        all += items[i].weight;
        members += items[i].weight > 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (items[i].weight > 0)
            items[i].weight = by_share * items[i].weight / all + (1 - by_share) / members;
    }
}

bool diff_prove(const struct diff *diff, struct diff_limit *limits, size_t count)
{
    const struct diff_kept *kept = diff->kept;
    struct diff_item *items = calloc(count + 1, sizeof(*items));

    if (!items)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct diff_work *row = &kept->rows[limits[i].row];
        limits[i].adjusted = isnan(diff->rows[limits[i].row].p) ? NAN : 1;
        items[i] = diff_limit_item(kept, row, &limits[i]);
    }
    set_limit_weights(kept, limits, items, count);
    bool ok = diff_decide(items, count, kept->contrasts, true);
    for (size_t i = 0; ok && i < count; i++) {
        if (!isnan(limits[i].adjusted))
            limits[i].adjusted = items[i].adjusted;
    }
    free(items);
    return ok;
}

void diff_free(struct diff *diff)
{
    free(diff->rows);
    free_kept(diff->kept);
    *diff = (struct diff){.rows = NULL};
}

const char *diff_text(enum diff_code code)
{
    static const char *const texts[] = {
        [DIFF_OK] = "done",
        [DIFF_EMEMORY] = "out of memory",
        [DIFF_EEMPTY] = "one side has no hits: nothing can be compared",
        [DIFF_ETIME] = "the sampling rate or duration of a snapshot is not known: use --per median",
        [DIFF_EITERATION] =
            "a snapshot has no count of mprof_iteration(): call it in the main loop",
        [DIFF_EREFERENCE] = "the function to compare with needs hits on both sides",
    };

    return (size_t)code < sizeof(texts) / sizeof(texts[0]) ? texts[code] : "not known";
}
