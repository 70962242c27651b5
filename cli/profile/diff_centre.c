/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratio that most rows agree on (docs/statistics.md, "The median"). */
#include <math.h>
#include <stdlib.h>

#include "diff_private.h"

/* Tukey's biweight: rows further off than so many standard deviations have no say. */
static const double reach = 5.5;

/* The variance of a row of 10 hits a side has half a voice. */
static const double sharp = 0.2;

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
static double voice_of(const struct diff_point *point)
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
        sum += voice_of(&points[i]) * rest * rest * rest;
    }
    return sum;
}

static double improve(const struct diff_point *points, size_t count, double centre)
{
    for (int i = 0; i < 50; i++) {
        double sum = 0, weights = 0;
        for (size_t j = 0; j < count; j++) {
            double weight =
                voice_of(&points[j]) * trust_at(&points[j], centre) / points[j].variance;
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
