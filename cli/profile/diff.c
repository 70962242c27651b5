/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides of profiles, row by row (docs/statistics.md). */
#include <profile/diff.h>

#include <math.h>
#include <stdlib.h>

#include "diff_row.h"

/* Rows that turn out to have changed leave the median, at most so many times. */
#define PASSES 32

/* Time as a comparison has no noise: as if it had so many hits. */
static const double exposure_hits = 1e12;

/* The geometric wait for an admission is longer than so many means in 5 % of cases. */
static const double wait95 = 2.995732273553991;

/* From such a part of the median on, the median is made again without the row. */
static const double weighty = 0.05;

/* Rows with fewer hits a side say nothing of evenness, nor those whose noise is known too badly. */
static const double enough = 5;

/* The quantile of the normal distribution beyond which rows are uneven: a chance of 1 in 4,000. */
static const double too_much = 3.5;

struct work {
    struct diff_problem problem;
    struct diff *diff;
    struct diff_point *points;
    struct diff_others together; /* of all that a row is compared with, itself included */
};

/* A row that is missing may have had all that was dropped; one that was admitted late, a part. */
static double unseen(const struct diff_hits *row, const struct diff_snapshot *snapshot)
{
    double dropped = (double)snapshot->dropped;

    if (row->hits == 0)
        return dropped;
    if (snapshot->located)
        return fmin((double)row->unseen_most, dropped);
    return fmin(ceil(wait95 * (double)row->inherited), dropped);
}

static void add_snapshot(struct diff_problem *p, int side, const struct diff_snapshot *snapshot)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct diff_hits *from = &snapshot->rows[i];
        struct diff_work *row = &p->rows[i];
        double hits = (double)from->hits;
        row->hits[side] += hits;
        row->least[side] += hits - fmin(hits, (double)from->inherited) + (double)from->unseen_least;
        row->most[side] += hits + unseen(from, snapshot);
    }
}

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

static double snapshot_total(const struct diff_snapshot *snapshot, size_t count)
{
    double total = 0;

    for (size_t i = 0; i < count; i++)
        total += (double)snapshot->rows[i].hits;
    return total;
}

static void add_up(struct diff_problem *p)
{
    for (int side = 0; side < DIFF_SIDES; side++) {
        double squares = 0;
        for (size_t k = 0; k < p->sides[side]->count; k++) {
            const struct diff_snapshot *snapshot = &p->sides[side]->snapshots[k];
            double total = snapshot_total(snapshot, p->count);
            p->totals[side] += total;
            squares += total * total;
            add_snapshot(p, side, snapshot);
        }
        p->runs[side] = squares > 0 ? p->totals[side] * p->totals[side] / squares : 1;
    }
    for (size_t i = 0; i < p->count; i++) {
        p->rows[i].excess = 1;
        p->rows[i].df = INFINITY;
        p->rows[i].trust = 1;
    }
}

/* Events that a second (of all snapshots of the side) would have brought; 0: not known. */
static double exposure(const struct diff_side *side, bool exact)
{
    double sum = 0;

    for (size_t k = 0; k < side->count; k++) {
        const struct diff_snapshot *s = &side->snapshots[k];
        if (!(s->duration_s > 0) || (!exact && !(s->sample_hz > 0)))
            return 0;
        sum += s->duration_s * (exact ? 1 : s->sample_hz);
    }
    return sum;
}

static enum diff_code check(const struct diff_problem *p)
{
    const struct diff_options *o = p->options;

    if (p->totals[DIFF_BASE] <= 0 || p->totals[DIFF_NEWER] <= 0)
        return DIFF_EEMPTY;
    if (o->per == DIFF_PER_SECOND && (exposure(p->sides[DIFF_BASE], o->exact) <= 0 ||
                                      exposure(p->sides[DIFF_NEWER], o->exact) <= 0))
        return DIFF_ETIME;
    if (o->per == DIFF_PER_FUNCTION &&
        (o->reference >= p->count || p->rows[o->reference].hits[DIFF_BASE] <= 0 ||
         p->rows[o->reference].hits[DIFF_NEWER] <= 0))
        return DIFF_EREFERENCE;
    return DIFF_OK;
}

/* Points of the rows that may have a say: all but one, or those that have no trust. */
static size_t make_points(const struct work *w, bool distrusted, size_t without)
{
    const struct diff_problem *p = &w->problem;
    double level = log(p->totals[DIFF_NEWER] / p->totals[DIFF_BASE]);
    double all = p->totals[DIFF_BASE] + p->totals[DIFF_NEWER];
    double more_a = p->totals[DIFF_BASE] / all, more_b = p->totals[DIFF_NEWER] / all;
    size_t used = 0;

    for (size_t i = 0; i < p->count; i++) {
        const struct diff_work *row = &p->rows[i];
        /* One hit, divided as all hits are: half a one each would draw rows of few hits to where
         * both sides have the same number of hits, which means nothing where one ran longer. */
        double a = row->hits[DIFF_BASE] + more_a, b = row->hits[DIFF_NEWER] + more_b;
        if (a + b <= 1 || i == without || (distrusted ? row->trust > 0 : row->excluded))
            continue;
        w->points[used++] = (struct diff_point){
            .x = log(b / a) - level, .variance = (1 / a + 1 / b) * row->spread, .row = i};
    }
    return used;
}

static double share_of(const struct work *w, size_t used)
{
    double sum = 0;

    for (size_t k = 0; k < used; k++)
        sum += w->points[k].trust * w->problem.rows[w->points[k].row].hits[DIFF_BASE];
    return sum / w->problem.totals[DIFF_BASE];
}

static void trust_median(struct work *w)
{
    struct diff_problem *p = &w->problem;
    size_t used = make_points(w, false, p->count);

    diff_centre(w->points, used);
    for (size_t i = 0; i < p->count; i++)
        p->rows[i].trust = 0;
    for (size_t k = 0; k < used; k++)
        p->rows[w->points[k].row].trust = w->points[k].trust;
    w->diff->support = share_of(w, used);
}

/* What the rows outside the median agree on. */
static void find_rival(struct work *w)
{
    struct diff *d = w->diff;
    size_t used = make_points(w, true, w->problem.count);
    double level = w->problem.totals[DIFF_NEWER] / w->problem.totals[DIFF_BASE];

    if (used == 0)
        return;
    d->rival = exp(diff_centre(w->points, used)) * level / d->scale;
    d->rival_support = share_of(w, used);
    d->contested = d->rival_support >= d->support / 3;
}

/* Whether a sum of df squares of normal numbers is too large (E. B. Wilson, M. M. Hilferty 1931).
 */
static bool is_too_much(double sum, double df)
{
    double spread = 2 / (9 * df);

    return df > 0 && (cbrt(sum / df) - (1 - spread)) / sqrt(spread) > too_much;
}

/* Do the rows that did not turn out to have changed differ by more than noise? */
static void find_uneven(struct work *w)
{
    double level =
        log(w->diff->scale * w->problem.totals[DIFF_BASE] / w->problem.totals[DIFF_NEWER]);
    size_t used = make_points(w, false, w->problem.count);
    double sum = 0, df = -1;

    for (size_t k = 0; k < used; k++) {
        const struct diff_work *row = &w->problem.rows[w->points[k].row];
        double z = w->points[k].x - level;
        if (row->lossy || row->hits[DIFF_BASE] < enough || row->hits[DIFF_NEWER] < enough ||
            row->df < enough)
            continue;
        sum += z * z / w->points[k].variance * (isinf(row->df) ? 1 : 1 - 2 / row->df);
        df++;
    }
    w->diff->uneven = is_too_much(sum, df);
}

static void trust_one(struct diff_problem *p)
{
    for (size_t i = 0; i < p->count; i++)
        p->rows[i].trust = i == p->options->reference ? 1 : 0;
}

static void add_others(struct work *w)
{
    const struct diff_problem *p = &w->problem;

    w->together = (struct diff_others){.hits = {0, 0}};
    for (size_t i = 0; i < p->count; i++)
        for (int side = 0; side < DIFF_SIDES; side++)
            w->together.hits[side] += p->rows[i].trust * p->rows[i].hits[side] / p->rows[i].spread;
}

static void take_time(struct work *w)
{
    const struct diff_problem *p = &w->problem;
    double base = exposure(p->sides[DIFF_BASE], p->options->exact);
    double newer = exposure(p->sides[DIFF_NEWER], p->options->exact);

    for (size_t i = 0; i < p->count; i++)
        p->rows[i].trust = 0;
    w->together.hits[DIFF_BASE] = exposure_hits * base / (base + newer);
    w->together.hits[DIFF_NEWER] = exposure_hits * newer / (base + newer);
}

static void choose_others(struct work *w)
{
    struct diff_problem *p = &w->problem;

    for (size_t i = 0; i < p->count; i++)
        p->rows[i].spread = diff_spread(p, &p->rows[i], w->diff->scale);
    if (p->options->per == DIFF_PER_SECOND) {
        take_time(w);
    } else if (p->options->per == DIFF_PER_FUNCTION) {
        trust_one(p);
        add_others(w);
    } else {
        trust_median(w);
        add_others(w);
    }
    if (w->together.hits[DIFF_BASE] > 0 && w->together.hits[DIFF_NEWER] > 0)
        w->diff->scale = w->together.hits[DIFF_NEWER] / w->together.hits[DIFF_BASE];
}

/* The median of all rows but one. */
static struct diff_others median_without(const struct work *w, size_t without)
{
    const struct diff_problem *p = &w->problem;
    struct diff_others others = {.hits = {0, 0}};
    size_t used = make_points(w, false, without);

    diff_centre(w->points, used);
    for (size_t k = 0; k < used; k++) {
        const struct diff_work *row = &p->rows[w->points[k].row];
        for (int side = 0; side < DIFF_SIDES; side++)
            others.hits[side] += w->points[k].trust * row->hits[side] / row->spread;
    }
    return others;
}

/* All but the row itself: a row must not be its own measure. A large one must not even choose who
 * is. */
static struct diff_others others_of(const struct work *w, size_t i)
{
    const struct diff_work *row = &w->problem.rows[i];
    struct diff_others others = w->together;

    if (w->problem.options->per != DIFF_PER_MEDIAN)
        return others;
    double part = row->trust * row->hits[DIFF_BASE] / row->spread;
    if (part > weighty * others.hits[DIFF_BASE])
        return median_without(w, i);
    for (int side = 0; side < DIFF_SIDES; side++) {
        others.hits[side] -= row->trust * row->hits[side] / row->spread;
        others.hits[side] = others.hits[side] < 1e-6 ? 0 : others.hits[side];
    }
    return others;
}

static bool is_tested(const struct work *w, size_t i)
{
    const struct diff_problem *p = &w->problem;
    const struct diff_work *row = &p->rows[i];

    if (row->hits[DIFF_BASE] + row->hits[DIFF_NEWER] <= 0)
        return false;
    if (p->options->per == DIFF_PER_FUNCTION && i == p->options->reference)
        return false;
    return !(p->options->exact && isnan(p->noise2));
}

static void test_rows(struct work *w)
{
    for (size_t i = 0; i < w->problem.count; i++) {
        struct diff_row *row = &w->diff->rows[i];
        struct diff_others others = others_of(w, i);
        row->p = NAN;
        row->direction = 0;
        if (!is_tested(w, i))
            continue;
        row->p = 1;
        if (others.hits[DIFF_BASE] > 0 && others.hits[DIFF_NEWER] > 0)
            row->p = diff_row_p(&w->problem, &w->problem.rows[i], &others, &row->direction);
    }
}

/* The most significant row that still has a say in the median; count: none. */
static size_t next_to_leave(const struct work *w)
{
    const struct diff_row *rows = w->diff->rows;
    size_t best = w->problem.count;

    for (size_t i = 0; i < w->problem.count; i++)
        if (rows[i].significant && !w->problem.rows[i].excluded &&
            (best == w->problem.count || rows[i].p < rows[best].p))
            best = i;
    return best;
}

/* What is significant leaves the median, one row at a time: others may only have seemed to change
 * because that one did. false: none does. */
static bool exclude(struct work *w)
{
    size_t leaves = next_to_leave(w);

    if (leaves == w->problem.count)
        return false;
    w->problem.rows[leaves].excluded = true;
    for (size_t i = 0; i < w->problem.count; i++)
        if (w->diff->rows[i].significant && w->problem.rows[i].trust <= 0)
            w->problem.rows[i].excluded = true;
    return true;
}

static bool compare(struct work *w)
{
    bool again = true;

    for (int pass = 0; again && pass < PASSES; pass++) {
        choose_others(w);
        test_rows(w);
        if (!diff_family(w->diff, w->problem.options))
            return false;
        again = w->problem.options->per == DIFF_PER_MEDIAN && exclude(w);
    }
    for (size_t i = 0; i < w->problem.count; i++) {
        struct diff_others others = others_of(w, i);
        diff_row_fill(&w->problem, &w->problem.rows[i], &others, &w->diff->rows[i]);
        if (!w->diff->rows[i].significant)
            w->diff->rows[i].direction = 0;
    }
    if (w->problem.options->per == DIFF_PER_MEDIAN) {
        find_rival(w);
        find_uneven(w);
    }
    return true;
}

static void take_hits(const struct diff_problem *p, struct diff *diff)
{
    for (size_t i = 0; i < p->count; i++) {
        diff->rows[i].base_hits = (uint64_t)p->rows[i].hits[DIFF_BASE];
        diff->rows[i].new_hits = (uint64_t)p->rows[i].hits[DIFF_NEWER];
    }
    diff->base_hits = (uint64_t)p->totals[DIFF_BASE];
    diff->new_hits = (uint64_t)p->totals[DIFF_NEWER];
    diff->scale = p->totals[DIFF_NEWER] / p->totals[DIFF_BASE];
}

static enum diff_code run(struct work *w)
{
    struct diff_problem *p = &w->problem;

    add_up(p);
    for (size_t i = 0; i < p->count; i++)
        p->rows[i].lossy = is_lossy(p, &p->rows[i]);
    enum diff_code code = check(p);
    if (code != DIFF_OK)
        return code;
    if (!diff_noise(p))
        return DIFF_EMEMORY;
    take_hits(p, w->diff);
    w->diff->noise = sqrt(p->noise2);
    return compare(w) ? DIFF_OK : DIFF_EMEMORY;
}

enum diff_code diff_make(const struct diff_side *base, const struct diff_side *newer,
                         size_t row_count, const struct diff_options *options, struct diff *out)
{
    struct diff diff = {.count = row_count, .rival = NAN, .support = NAN};
    struct work w = {.diff = &diff};
    enum diff_code code = DIFF_EMEMORY;

    w.problem = (struct diff_problem){
        .sides = {base, newer}, .options = options, .count = row_count, .noise2 = NAN};
    diff.rows = calloc(row_count + 1, sizeof(*diff.rows));
    w.problem.rows = calloc(row_count + 1, sizeof(*w.problem.rows));
    w.points = calloc(row_count + 1, sizeof(*w.points));
    if (diff.rows != NULL && w.problem.rows != NULL && w.points != NULL)
        code = run(&w);
    free(w.problem.rows);
    free(w.points);
    if (code == DIFF_OK)
        *out = diff;
    else
        free(diff.rows);
    return code;
}

void diff_free(struct diff *diff)
{
    free(diff->rows);
    *diff = (struct diff){.rows = NULL};
}

const char *diff_text(enum diff_code code)
{
    static const char *const texts[] = {
        [DIFF_OK] = "done",
        [DIFF_EMEMORY] = "out of memory",
        [DIFF_EEMPTY] = "one side has no hits: nothing can be compared",
        [DIFF_ETIME] = "the sampling rate or duration of a snapshot is not known: use --per median",
        [DIFF_EREFERENCE] = "the function to compare with needs hits on both sides",
    };

    return (size_t)code < sizeof(texts) / sizeof(texts[0]) ? texts[code] : "not known";
}
