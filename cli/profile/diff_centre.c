/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratio that most rows agree on (docs/statistics.md, "The median"). */
#include <math.h>

#include "diff_private.h"

/* Tukey's biweight: rows further off than so many standard deviations have no say. */
static const double reach = 5.5;

/* Rows that are tried as the place to begin. */
#define STARTS 48

static double trust_at(const struct diff_point *point, double centre)
{
    double z2 = (point->x - centre) * (point->x - centre) / point->variance / (reach * reach);

    return z2 >= 1 ? 0 : (1 - z2) * (1 - z2);
}

/* How well the points agree on a centre: each has one voice at most, whatever its hits. */
static double agreement(const struct diff_point *points, size_t count, double centre)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        double z2 = (points[i].x - centre) * (points[i].x - centre) / points[i].variance;
        double rest = fmax(0, 1 - z2 / (reach * reach));
        sum += rest * rest * rest;
    }
    return sum;
}

static double improve(const struct diff_point *points, size_t count, double centre)
{
    for (int i = 0; i < 50; i++) {
        double sum = 0, weights = 0;
        for (size_t j = 0; j < count; j++) {
            double weight = trust_at(&points[j], centre) / points[j].variance;
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

/* The index of the point with the next smallest variance after (least, from), count: none. */
static size_t next_precise(const struct diff_point *points, size_t count, size_t from)
{
    size_t best = count;

    for (size_t i = 0; i < count; i++) {
        bool after = from == count || points[i].variance > points[from].variance ||
                     (i > from && !(points[i].variance < points[from].variance));
        if (after && (best == count || points[i].variance < points[best].variance))
            best = i;
    }
    return best;
}

double diff_centre(struct diff_point *points, size_t count)
{
    double centre = 0, best = -1;
    size_t from = count;

    for (int tries = 0; tries < STARTS; tries++) {
        from = next_precise(points, count, from);
        if (from == count)
            break;
        double agreed = agreement(points, count, points[from].x);
        if (agreed > best) {
            best = agreed;
            centre = points[from].x;
        }
    }
    centre = improve(points, count, centre);
    for (size_t i = 0; i < count; i++)
        points[i].trust = trust_at(&points[i], centre);
    return centre;
}
