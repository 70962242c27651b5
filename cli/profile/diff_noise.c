/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much runs of one firmware differ (docs/statistics.md, "Floor"). */
#include <stdlib.h>

#include <profile/stats.h>

#include "diff_private.h"
#include "special.h"

/* A row with fewer hits a run tells nothing about runs. */
static const double fewest = 5;

/* The largest relative variance that is looked for. */
static const double largest2 = 4;

/* This number of rows tells as much of what rows have in common as one row of its own variance. */
static const double rows_for_one = 3;

/* A row that is missing may have had all that was dropped; one that was admitted late, a part. */
static double unseen(const struct diff_hits *row, const struct diff_snapshot *snapshot)
{
    double dropped = (double)snapshot->dropped;

    if (row->hits == 0)
        return dropped;
    if (snapshot->located)
        return fmin((double)row->unseen_most, dropped);
    return stats_waited(row->inherited, snapshot->dropped);
}

void diff_ends(const struct diff_snapshot *snapshot, size_t row, double *least, double *most)
{
    const struct diff_hits *from = &snapshot->rows[row];
    double hits = (double)from->hits;

    *least = hits - fmin(hits, (double)from->inherited) + (double)from->unseen_least;
    *most = hits + unseen(from, snapshot);
}

/* Helmert's contrasts of count values. */
static double *within(const double *x, size_t count, double *y)
{
    double sum = x[0];

    for (size_t k = 1; k < count; k++) {
        double n = (double)k;
        *y++ = (sum / n - x[k]) * sqrt(n / (n + 1));
        sum += x[k];
    }
    return y;
}

void diff_contrasts(const double *x, size_t base, size_t newer, double *y)
{
    double sums[DIFF_SIDES] = {0, 0};

    for (size_t k = 0; k < base + newer; k++)
        sums[k < base ? DIFF_BASE : DIFF_NEWER] += x[k];
    y[0] = (sums[DIFF_NEWER] / (double)newer - sums[DIFF_BASE] / (double)base) /
           sqrt(1 / (double)base + 1 / (double)newer);
    (void)within(x + base, newer, within(x, base, y + 1));
}

/* The variance between the runs of a side. */
static double own_of(const double *y, size_t contrasts)
{
    return contrasts > 1 ? diff_squares(y, 1, contrasts) / (double)(contrasts - 1) : 0;
}

static void take_contrasts(const struct diff_problem *p, struct diff_work *row, double *x)
{
    const double *logs = p->logs + (size_t)(row - p->rows) * p->runs;
    const double *reference = diff_reference_of(p, row);

    for (size_t k = 0; k < p->runs; k++)
        x[k] = logs[k] - reference[k];
    diff_contrasts(x, p->sides[DIFF_BASE].count, p->sides[DIFF_NEWER].count, row->y);
    row->own2 = own_of(row->y, p->kept->contrasts);
}

/* What was lost is taken against the change: only what remains of it is tested. */
static void take_worst(const struct diff_problem *p, struct diff_work *row, double *x, double *y)
{
    const double *reference = diff_reference_of(p, row);
    bool more = row->y[0] > 0;

    row->y_worst = row->y[0];
    if (!(row->most[DIFF_BASE] + row->most[DIFF_NEWER] >
          row->least[DIFF_BASE] + row->least[DIFF_NEWER]) &&
        p->per != DIFF_PER_MEDIAN)
        return;
    for (size_t k = 0; k < p->runs; k++) {
        bool up = (k < p->sides[DIFF_BASE].count) == more;
        double least, most;
        diff_ends(diff_run(p, k), (size_t)(row - p->rows), &least, &most);
        x[k] = log((up ? most : least) + 0.5) - reference[(up ? 1 : 2) * p->runs + k];
    }
    diff_contrasts(x, p->sides[DIFF_BASE].count, p->sides[DIFF_NEWER].count, y);
    row->y_worst = more ? fmax(0, fmin(y[0], row->y[0])) : fmin(0, fmax(y[0], row->y[0]));
    row->own2 = fmax(row->own2, own_of(y, p->kept->contrasts));
}

/* Of several runs of a side, their difference shows how they wander. */
static double spread_in(const struct diff_problem *p, const struct diff_work *row, size_t run)
{
    bool single = p->kept->contrasts == 1;

    return single ? fmax(1, diff_run(p, run)->rows[row - p->rows].spread) : 1;
}

/* Of the logarithm of one run's hits. */
static double counting_of(const struct diff_problem *p, const struct diff_work *row)
{
    double part = fmax(row->all, 0.5) / (p->totals[DIFF_BASE] + p->totals[DIFF_NEWER]);
    double sum = 0;

    for (size_t k = 0; k < p->runs; k++) {
        double hits = part * fmax(p->run_totals[k], 1);
        sum += p->options->exact ? 1 / (hits * hits) : spread_in(p, row, k) / hits;
    }
    /* So many samples a second: what one row has more, others have less. */
    if (p->per == DIFF_PER_SECOND && !p->options->exact)
        sum *= 1 - part;
    return sum / (double)p->runs;
}

static bool tells(const struct diff_problem *p, const struct diff_work *row)
{
    return row->tested && !row->lossy && row->all >= fewest * (double)p->runs;
}

static int by_size(const void *left, const void *right)
{
    const double *l = left, *r = right;

    return (*l > *r) - (*l < *r);
}

/* The median of own2 over what it would be with this variance between runs. */
static double middle_of(const struct diff_problem *p, double *ratios, double noise2)
{
    size_t count = 0;

    for (size_t i = 0; i < p->count; i++) {
        const struct diff_work *row = &p->rows[i];
        if (tells(p, row))
            ratios[count++] = row->own2 / (row->counting + noise2);
    }
    qsort(ratios, count, sizeof(*ratios), by_size);
    return count % 2 ? ratios[count / 2] : (ratios[count / 2 - 1] + ratios[count / 2]) / 2;
}

/* The variance between runs with which the median of the rows is what chance would have it be (E.
 * B. Wilson and M. M. Hilferty 1931): what most rows show, whatever a few of them do. */
static double common_noise2(const struct diff_problem *p, double df)
{
    double *ratios = malloc((p->count + 1) * sizeof(*ratios));
    double low = 0, high = largest2, wanted = pow(1 - 2 / (9 * df), 3);

    if (!ratios)
        return NAN;
    if (middle_of(p, ratios, 0) <= wanted)
        high = 0;
    for (int i = 0; i < 36 && high > 0; i++) {
        double middle = i < 30 ? sqrt(fmax(low, 1e-12) * high) : (low + high) / 2;
        if (middle_of(p, ratios, middle) > wanted)
            low = middle;
        else
            high = middle;
    }
    free(ratios);
    return (low + high) / 2;
}

/* Over the variance that the counts of both sides have by themselves. */
static double spread_of(const struct diff_problem *p, const struct diff_work *row)
{
    double scale = row->others.hits[DIFF_NEWER] / row->others.hits[DIFF_BASE];
    double a = fmax(0.5, row->all / (1 + scale)), b = fmax(0.5, row->all * scale / (1 + scale));
    double unit = diff_contrast_unit(p->kept);
    double spread = unit * unit * fmax(row->own2, row->floor2) / (1 / a + 1 / b);

    if (!(scale > 0))
        return 1;
    if (p->options->exact)
        return fmax(spread, 1e-9);
    /* The number of all samples a second is given, so those of a large row vary less than those of
     * a small one. */
    bool timed = p->kept->contrasts == 1 && p->per == DIFF_PER_SECOND;
    double all = p->totals[DIFF_BASE] + p->totals[DIFF_NEWER];
    return fmax(spread, timed ? fmax(1 - row->all / all, 0.01) : 1);
}

static void share_out(struct diff_problem *p, double noise2, double df, double known)
{
    double reach = special_t_quantile(0.05, df > 0 ? df : INFINITY);
    double reach_common = special_t_quantile(0.05, df > 0 ? df + known : INFINITY);

    for (size_t i = 0; i < p->count; i++) {
        struct diff_work *row = &p->rows[i];
        row->floor2 = row->counting + noise2;
        bool own = df > 0 && row->own2 > row->floor2;
        row->df = df <= 0 ? INFINITY : own ? df : df + known;
        row->reach = own ? reach : reach_common;
        row->spread = spread_of(p, row);
    }
}

void diff_noise(struct diff_problem *p)
{
    double df = (double)p->kept->contrasts - 1, told = 0, given = p->options->noise;
    double x[2 * DIFF_RUNS_MAX], y[2 * DIFF_RUNS_MAX];

    for (size_t i = 0; i < p->count; i++) {
        struct diff_work *row = &p->rows[i];
        row->counting = counting_of(p, row);
        take_contrasts(p, row, x);
        told += tells(p, row);
        take_worst(p, row, x, y);
    }
    double noise2 = df > 0 ? (told > 0 ? common_noise2(p, df) : 0) : NAN;
    p->kept->noise2 = given >= 0 ? fmax(noise2, given * given) : noise2;
    share_out(p, isnan(p->kept->noise2) ? 0 : p->kept->noise2, df, df * told / rows_for_one);
}
