/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the hits of a run are divided by (docs/statistics.md, "What a change is relative to"). */
#include <stdlib.h>
#include <string.h>

#include "diff_private.h"
#include "special.h"

/* Time and iterations as a comparison have no noise: as if they had this number of hits. */
static const double exposure_hits = 1e12;

/* From such a part of the median on, a row has a median without itself. */
static const double weighty = 0.05;

/* The variance of a row of 10 hits a side has half a voice. */
static const double sharp = 0.2;

/* All rows together changed by less than this: not worth a word. */
static const double together_least = 0.05;

/* Tukey's biweight: rows further off than this number of standard deviations have no say. */
static const double reach = 5.5;

/* Places to begin: so many for each way to weigh rows, and every row where there are no more rows
 * than that. */
#define STARTS 32
#define WAYS   3

static double trust_at(const struct diff_point *point, double centre)
{
    double z2 = (point->x - centre) * (point->x - centre) / point->variance / (reach * reach);

    return z2 >= 1 ? 0 : (1 - z2) * (1 - z2);
}

/* A row that says little has little of a voice: it agrees with whatever there is, and many such
 * rows together would take the centre away from the few that know where it is. */
static double point_voice(const struct diff_point *point)
{
    return sharp / (sharp + point->variance);
}

/* How well the points agree on a centre: each has one voice at most, whatever its hits. */
static double agreement(const struct diff_point *points, size_t count, double centre)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        double z2 = (points[i].x - centre) * (points[i].x - centre) / points[i].variance;
        double rest = fmax(0, 1 - z2 / (reach * reach));
        sum += point_voice(&points[i]) * rest * rest * rest;
    }
    return sum;
}

static double improve(const struct diff_point *points, size_t count, double centre)
{
    for (int i = 0; i < 50; i++) {
        double sum = 0, weights = 0;
        for (size_t j = 0; j < count; j++) {
            double weight =
                point_voice(&points[j]) * trust_at(&points[j], centre) / points[j].variance;
            sum += weight * points[j].x;
            weights += weight;
        }
        double next = weights > 0 ? sum / weights : centre;
        double moved = fabs(next - centre);
        centre = next;
        if (moved < 1e-9)
            break;
    }
    return centre;
}

/* What a point weighs where places to begin are chosen: as any other, or by how sharp it is. Most
 * rows may be small, and what they agree on is still to be found among few sharp ones. */
static double weight_of(const struct diff_point *point, int way)
{
    if (way == 0)
        return 1;
    return way == 1 ? 1 / sqrt(point->variance) : 1 / point->variance;
}

static int compare_points(const void *left, const void *right)
{
    const struct diff_point *l = left, *r = right;

    if (l->x < r->x || r->x < l->x)
        return l->x < r->x ? -1 : 1;
    return l->row < r->row ? -1 : l->row > r->row;
}

/* The best place to begin so far. */
struct start {
    double x, agreed;
};

static void try_start(const struct diff_point *points, size_t count, size_t i, struct start *best)
{
    double agreed = agreement(points, count, points[i].x);

    if (agreed > best->agreed)
        *best = (struct start){.x = points[i].x, .agreed = agreed};
}

/* Quantiles of points in order of x: what a 32nd of the weight agrees on is not passed over. */
static void try_quantiles(const struct diff_point *points, size_t count, int way,
                          struct start *best)
{
    double all = 0, sum = 0;
    int tried = 0;

    for (size_t i = 0; i < count; i++)
        all += weight_of(&points[i], way);
    for (size_t i = 0; i < count; i++) {
        sum += weight_of(&points[i], way);
        if (sum * STARTS < all * (tried + 0.5))
            continue;
        try_start(points, count, i, best);
        while (sum * STARTS >= all * (tried + 0.5))
            tried++;
    }
}

double diff_centre(struct diff_point *points, size_t count)
{
    struct start best = {.agreed = -1};

    if (count <= (size_t)STARTS * WAYS) {
        for (size_t i = 0; i < count; i++)
            try_start(points, count, i, &best);
    } else {
        qsort(points, count, sizeof(*points), compare_points);
        for (int way = 0; way < WAYS; way++)
            try_quantiles(points, count, way, &best);
    }
    double centre = improve(points, count, best.x);
    for (size_t i = 0; i < count; i++)
        points[i].trust = trust_at(&points[i], centre);
    return centre;
}

/* Points of the rows that may have a say: all but one, or those that have no trust. */
static size_t make_points(const struct diff_problem *p, bool distrusted, size_t without)
{
    double level = log(p->totals[DIFF_NEWER] / p->totals[DIFF_BASE]);
    double all = p->totals[DIFF_BASE] + p->totals[DIFF_NEWER];
    double more_a = p->totals[DIFF_BASE] / all, more_b = p->totals[DIFF_NEWER] / all;
    size_t used = 0;

    for (size_t i = 0; i < p->count; i++) {
        const struct diff_work *row = &p->rows[i];
        /* One hit, divided as all hits are: half a one each would draw rows of few hits to where
         * both sides have the same number of hits, which means nothing where one ran longer. */
        double a = row->hits[DIFF_BASE] + more_a, b = row->hits[DIFF_NEWER] + more_b;
        if (!row->tested || i == without || (distrusted ? row->trust > 0 : row->excluded))
            continue;
        p->points[used++] = (struct diff_point){
            .x = log(b / a) - level, .variance = (1 / a + 1 / b) * row->spread, .row = i};
    }
    return used;
}

static double support_of(const struct diff_problem *p, size_t used)
{
    double sum = 0;

    for (size_t k = 0; k < used; k++)
        sum += p->points[k].trust * p->rows[p->points[k].row].hits[DIFF_BASE];
    return sum / p->totals[DIFF_BASE];
}

/* What a row lost, as an error of its logarithm. */
static double lossy2(const struct diff_work *row)
{
    double half = 0;

    for (int side = 0; side < DIFF_SIDES; side++)
        half = fmax(half, log((row->most[side] + 0.5) / (row->least[side] + 0.5)) / 2);
    return half * half;
}

/* How much a row tells of what a run's hits are to be divided by. */
static double voice_of(const struct diff_problem *p, const struct diff_point *point)
{
    const struct diff_work *row = &p->rows[point->row];
    double squares = diff_squares(row->y, 0, p->kept->contrasts);
    double own2 = fmax(squares / (double)p->kept->contrasts, row->floor2) + lossy2(row);

    return point->trust * sharp / (sharp + point->variance) / own2;
}

static double mean_log(const struct diff_problem *p, size_t row)
{
    double sum = 0;

    for (size_t k = 0; k < p->runs; k++)
        sum += p->logs[row * p->runs + k];
    return sum / (double)p->runs;
}

/* The mean of the rows' logarithms in each run: of what they have, and at both ends of losses. */
static void average(const struct diff_problem *p, size_t used, double *reference)
{
    double voices = 0;

    memset(reference, 0, 3 * p->runs * sizeof(*reference));
    for (size_t i = 0; i < used; i++) {
        double voice = voice_of(p, &p->points[i]);
        size_t row = p->points[i].row;
        double mean = mean_log(p, row);
        if (voice <= 0)
            continue;
        for (size_t k = 0; k < p->runs; k++) {
            double least, most;
            diff_ends(diff_run(p, k), row, &least, &most);
            reference[k] += voice * (p->logs[row * p->runs + k] - mean);
            reference[p->runs + k] += voice * (log(least + 0.5) - mean);
            reference[2 * p->runs + k] += voice * (log(most + 0.5) - mean);
        }
        voices += voice;
    }
    for (size_t k = 0; k < 3 * p->runs; k++)
        reference[k] = voices > 0 ? reference[k] / voices : 0;
}

static struct diff_others sum_of(const struct diff_problem *p, size_t used)
{
    struct diff_others others = {.hits = {0, 0}};

    for (size_t k = 0; k < used; k++) {
        const struct diff_work *row = &p->rows[p->points[k].row];
        for (int side = 0; side < DIFF_SIDES; side++)
            others.hits[side] += p->points[k].trust * row->hits[side] / row->spread;
    }
    return others;
}

static double part_of(const struct diff_work *row, int side)
{
    return row->trust * row->hits[side] / row->spread;
}

/* All but the row itself: a row must not be its own measure. A large one must not even choose who
 * is. */
static void take_others(struct diff_problem *p, size_t i, const struct diff_others *together)
{
    struct diff_work *row = &p->rows[i];

    row->large = 0;
    row->others = *together;
    if (part_of(row, DIFF_BASE) > weighty * together->hits[DIFF_BASE] && p->large < DIFF_LARGE) {
        row->large = ++p->large;
        size_t used = make_points(p, false, i);
        (void)diff_centre(p->points, used);
        average(p, used, diff_reference_of(p, row));
        row->others = sum_of(p, used);
        return;
    }
    for (int side = 0; side < DIFF_SIDES; side++) {
        double left = together->hits[side] - part_of(row, side);
        row->others.hits[side] = left < 1e-6 ? 0 : left;
    }
}

/* Sets the trust of all rows; returns how many points there are. */
static size_t trust_rows(struct diff_problem *p)
{
    size_t used = make_points(p, false, p->count);

    (void)diff_centre(p->points, used);
    for (size_t i = 0; i < p->count; i++)
        p->rows[i].trust = 0;
    for (size_t k = 0; k < used; k++)
        p->rows[p->points[k].row].trust = p->points[k].trust;
    return used;
}

static void take_median(struct diff_problem *p, struct diff *diff)
{
    size_t used = trust_rows(p);
    struct diff_others together = sum_of(p, used);

    p->large = 0;
    diff->support = support_of(p, used);
    average(p, used, p->reference);
    for (size_t i = 0; i < p->count; i++)
        take_others(p, i, &together);
    if (together.hits[DIFF_BASE] > 0 && together.hits[DIFF_NEWER] > 0)
        diff->scale = together.hits[DIFF_NEWER] / together.hits[DIFF_BASE];
}

/* What a run's hits are divided by, if not by hits; 0: not known. */
static double exposure(const struct diff_problem *p, const struct diff_snapshot *s)
{
    double hz = p->options->exact ? 1 : fmax(s->sample_hz, 0);

    if (p->per == DIFF_PER_SECOND)
        return hz * fmax(s->duration_s, 0);
    return fmax(s->iterations, 0) * (hz > 0 ? hz : 1);
}

static void take_exposure(struct diff_problem *p, struct diff *diff)
{
    struct diff_others sums = {.hits = {0, 0}};

    for (size_t k = 0; k < p->runs; k++) {
        double all = exposure(p, diff_run(p, k));
        for (size_t end = 0; end < 3; end++)
            p->reference[end * p->runs + k] = log(all);
        sums.hits[k < p->sides[DIFF_BASE].count ? DIFF_BASE : DIFF_NEWER] += all;
    }
    diff->scale = sums.hits[DIFF_NEWER] / sums.hits[DIFF_BASE];
    double unit = exposure_hits / (sums.hits[DIFF_BASE] + sums.hits[DIFF_NEWER]);
    for (int side = 0; side < DIFF_SIDES; side++)
        sums.hits[side] *= unit;
    for (size_t i = 0; i < p->count; i++)
        p->rows[i].others = sums;
}

static void take_row(struct diff_problem *p, struct diff *diff)
{
    size_t row = p->options->reference;

    for (size_t k = 0; k < p->runs; k++) {
        double least, most;
        diff_ends(diff_run(p, k), row, &least, &most);
        p->reference[k] = p->logs[row * p->runs + k];
        p->reference[p->runs + k] = log(least + 0.5);
        p->reference[2 * p->runs + k] = log(most + 0.5);
    }
    for (size_t i = 0; i < p->count; i++)
        for (int side = 0; side < DIFF_SIDES; side++)
            p->rows[i].others.hits[side] = p->rows[row].hits[side];
    diff->scale = p->rows[row].hits[DIFF_NEWER] / p->rows[row].hits[DIFF_BASE];
}

void diff_reference(struct diff_problem *p, struct diff *diff)
{
    if (p->per == DIFF_PER_MEDIAN)
        take_median(p, diff);
    else if (p->per == DIFF_PER_FUNCTION)
        take_row(p, diff);
    else
        take_exposure(p, diff);
}

/* Rows that belong to the median, or to the points. */
static size_t count_median(const struct diff_problem *p)
{
    size_t count = 0;

    for (size_t i = 0; i < p->count; i++)
        count += p->rows[i].trust > 0;
    return count;
}

static size_t count_points(const struct diff_problem *p, size_t used)
{
    size_t count = 0;

    for (size_t k = 0; k < used; k++)
        count += p->points[k].trust > 0 && p->points[k].variance < sharp;
    return count;
}

void diff_rival(struct diff_problem *p, struct diff *diff)
{
    size_t used = make_points(p, true, p->count);
    double level = p->totals[DIFF_NEWER] / p->totals[DIFF_BASE];

    if (used == 0)
        return;
    diff->rival = exp(diff_centre(p->points, used)) * level / diff->scale;
    diff->rival_support = support_of(p, used);
    /* One row against many agrees with itself only. */
    bool agree = count_points(p, used) > 1 || count_median(p) < 3;
    diff->contested = agree && diff->rival_support >= diff->support / 3;
    if (!diff->contested)
        return;
    for (size_t i = 0; i < p->count; i++)
        diff->rows[i].in_camp = p->rows[i].trust > 0;
    for (size_t k = 0; k < used; k++)
        diff->rows[p->points[k].row].in_camp |= p->points[k].trust > 0;
}

double diff_together(struct diff_problem *p)
{
    double moved[2 * DIFF_RUNS_MAX], y[2 * DIFF_RUNS_MAX];
    double df = (double)p->kept->contrasts - 1;

    if (df <= 0)
        return 0;
    for (size_t k = 0; k < p->runs; k++)
        moved[k] = -p->reference[k];
    for (size_t i = 0; i < p->count; i++)
        p->rows[i].excluded = !p->rows[i].tested;
    average(p, trust_rows(p), p->reference);
    for (size_t k = 0; k < p->runs; k++)
        moved[k] += p->reference[k];
    diff_contrasts(moved, p->sides[DIFF_BASE].count, p->sides[DIFF_NEWER].count, y);
    double own2 = diff_squares(y, 1, p->kept->contrasts) / df;
    double change = expm1(y[0] * diff_contrast_unit(p->kept));
    bool real = special_t_two_sided(y[0] / sqrt(fmax(own2, 1e-12)), df) < p->options->fdr;
    return real && fabs(change) > together_least ? change : 0;
}
