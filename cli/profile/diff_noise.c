/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much runs of one firmware differ, beyond counting (docs/statistics.md, "Between runs"). */
#include <math.h>
#include <stdlib.h>

#include "diff_private.h"
#include "special.h"

/* A row with fewer hits a snapshot tells nothing about runs. */
static const double fewest = 5;

/* The largest relative variance that is looked for, and what the first look reckons with. */
static const double largest2 = 4, first2 = 0.05 * 0.05;

/* The prior of how unlike the rows' variances are: as if so many rows had shown so many degrees of
 * freedom. */
static const double prior_rows = 3, prior_df = 4;

/* What the snapshots say of one row. */
struct row_noise {
    double square;   /* mean square of the deviations, relative, unbiased */
    double mean;     /* hits a snapshot */
    double expected; /* sum over the snapshots of what part of a deviation remains */
    double sum;
};

struct noise {
    const struct diff_problem *problem;
    struct row_noise *rows;
    struct diff_point *points;
    double df;
    double common2;
};

/* Relative variance of counting alone: a sample is Poisson's, an exact count is off by one. */
static double counting(const struct noise *n, double hits)
{
    return n->problem->options->exact ? 1 / (hits * hits) : 1 / hits;
}

/* Adds the deviations of one snapshot from its side; part: its part of the side's hits. */
static double add_snapshot(struct noise *n, int side, const struct diff_snapshot *snapshot,
                           double part)
{
    const struct diff_problem *p = n->problem;
    size_t used = 0;
    double weights = 0;

    for (size_t i = 0; i < p->count; i++) {
        double mean = p->rows[i].hits[side] * part;
        if (mean < fewest || p->rows[i].lossy)
            continue;
        double hits = fmax((double)snapshot->rows[i].hits, 0.5);
        n->points[used++] =
            (struct diff_point){.row = i,
                                .x = log(hits / mean),
                                .variance = (counting(n, mean) + n->common2) * (1 - part)};
    }
    double centre = diff_centre(n->points, used);
    for (size_t k = 0; k < used; k++)
        weights += n->points[k].trust / n->points[k].variance;
    part *= exp(centre);
    for (size_t k = 0; k < used; k++) {
        struct row_noise *row = &n->rows[n->points[k].row];
        double mean = p->rows[n->points[k].row].hits[side] * part;
        double off = (double)snapshot->rows[n->points[k].row].hits / mean - 1;
        double pull = weights > 0 ? n->points[k].trust / n->points[k].variance / weights : 0;
        row->sum += off * off * mean;
        row->expected += (1 - part) * fmax(0.1, 1 - pull) * mean;
        row->mean += mean * (1 - part);
    }
    return part;
}

static void look_at_side(struct noise *n, int side)
{
    const struct diff_side *s = n->problem->sides[side];

    if (s->count < 2)
        return;
    for (size_t k = 0; k < s->count; k++) {
        double total = 0;
        for (size_t i = 0; i < n->problem->count; i++)
            total += (double)s->snapshots[k].rows[i].hits;
        if (total > 0)
            add_snapshot(n, side, &s->snapshots[k], total / n->problem->totals[side]);
    }
}

/* How much more the rows vary than a common relative variance would have them: its score. */
static double surplus(const struct noise *n, double common2)
{
    double sum = 0;

    for (size_t i = 0; i < n->problem->count; i++) {
        if (n->rows[i].mean <= 0)
            continue;
        double variance = counting(n, n->rows[i].mean) + common2;
        sum += (n->rows[i].square / variance - 1) / variance;
    }
    return sum;
}

static double find_common(const struct noise *n)
{
    double low = 0, high = largest2;

    if (surplus(n, 0) <= 0)
        return 0;
    for (int i = 0; i < 60; i++) {
        double middle = i < 50 ? sqrt(fmax(low, 1e-14) * high) : (low + high) / 2;
        if (surplus(n, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static void estimate(struct noise *n)
{
    for (size_t i = 0; i < n->problem->count; i++)
        n->rows[i] = (struct row_noise){.square = 0};
    for (int side = 0; side < DIFF_SIDES; side++)
        look_at_side(n, side);
    for (size_t i = 0; i < n->problem->count; i++) {
        struct row_noise *row = &n->rows[i];
        row->mean /= n->df;
        row->square = row->expected > 0 ? row->sum / row->expected : 0;
    }
    n->common2 = find_common(n);
}

/* The part of a row's variance that comes from the runs: as far as it tells about them. */
static double told(const struct noise *n, size_t i)
{
    if (n->rows[i].mean <= 0 || n->common2 <= 0)
        return 0;
    return n->common2 / (counting(n, n->rows[i].mean) + n->common2);
}

static double standard(const struct noise *n, size_t i)
{
    return n->rows[i].square / (counting(n, n->rows[i].mean) + n->common2);
}

/* How alike the rows' variances are, as degrees of freedom (G. K. Smyth 2004, section 6.2), rows
 * weighted by what they tell, and a prior for when few do. */
static double likeness(const struct noise *n)
{
    double weights = 0, squares = 0, mean = 0, spread = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n->problem->count; i++) {
            double weight = told(n, i) * told(n, i);
            if (weight <= 0 || standard(n, i) <= 0)
                continue;
            double x = log(standard(n, i));
            weights += pass == 0 ? weight : 0;
            squares += pass == 0 ? weight * weight : 0;
            mean += pass == 0 ? weight * x : 0;
            spread += pass == 1 ? weight * (x - mean) * (x - mean) : 0;
        }
        mean = pass == 0 && weights > 0 ? mean / weights : mean;
    }
    double rows = squares > 0 ? weights * weights / squares : 0;
    double own =
        rows > 1.5 ? spread / weights * rows / (rows - 1) - special_trigamma(n->df / 2) : 0;
    double use = rows > 1.5 ? rows : 0;
    double mixed =
        (use * fmax(own, 0) + prior_rows * special_trigamma(prior_df / 2)) / (use + prior_rows);
    return 2 * special_trigamma_inverse(fmax(mixed, 1e-4));
}

static bool tells_any(const struct noise *n)
{
    for (size_t i = 0; i < n->problem->count; i++) {
        if (n->rows[i].mean > 0)
            return true;
    }
    return false;
}

/* Draws each row's own variance towards the common one. */
static void share_out(const struct noise *n, struct diff_problem *p)
{
    double prior = likeness(n), known = 0;

    for (size_t i = 0; i < p->count; i++)
        known += n->df * told(n, i);
    double df = fmin(prior + n->df, fmax(n->df, known));
    for (size_t i = 0; i < p->count; i++) {
        struct diff_work *row = &p->rows[i];
        double tells = told(n, i);
        row->noise2 = n->common2;
        if (tells <= 0)
            continue;
        double own = (prior + n->df * standard(n, i)) / (prior + n->df);
        row->excess = fmax(1 - tells, 1 + tells * (own - 1));
        row->df = df / (tells * tells);
    }
}

static void apply_floor(struct diff_problem *p)
{
    double floor2 = p->options->noise > 0 ? p->options->noise * p->options->noise : 0;

    for (size_t i = 0; i < p->count; i++) {
        struct diff_work *row = &p->rows[i];
        row->noise2 = fmax(row->noise2, floor2);
    }
    p->noise2 =
        isnan(p->noise2) ? (p->options->noise >= 0 ? floor2 : NAN) : fmax(p->noise2, floor2);
}

/* Rows whose runs tell nothing have the same degrees of freedom. */
static void find_reach(struct diff_problem *p)
{
    const struct diff_work *last = NULL;

    for (size_t i = 0; i < p->count; last = &p->rows[i++]) {
        bool same = last && !(last->df < p->rows[i].df) && !(last->df > p->rows[i].df);
        p->rows[i].reach = same ? last->reach : special_t_quantile(0.05, p->rows[i].df);
    }
}

bool diff_noise(struct diff_problem *p)
{
    size_t count = p->count;
    struct noise n = {.problem = p, .common2 = first2};

    n.df = (double)(p->sides[DIFF_BASE]->count + p->sides[DIFF_NEWER]->count - 2);
    p->noise2 = n.df > 0 ? 0 : NAN;
    if (n.df > 0) {
        n.rows = calloc(count, sizeof(*n.rows));
        n.points = calloc(count, sizeof(*n.points));
        bool ok = n.rows != NULL && n.points != NULL;
        for (int i = 0; ok && i < 3; i++)
            estimate(&n);
        if (ok)
            share_out(&n, p);
        p->noise2 = ok && tells_any(&n) ? n.common2 : NAN;
        free(n.rows);
        free(n.points);
        if (!ok)
            return false;
    }
    apply_floor(p);
    find_reach(p);
    return true;
}
