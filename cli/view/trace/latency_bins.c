/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edges that people read easily. */
#include "latency_bins.h"

#include <math.h>

/* Rows of equal width. */
#define LINEAR_ROWS 12

/* Edges are products, which are not exact. */
#define ROUNDING 1e-9

struct filling {
    struct latency_bins *bins;
    double unit;
};

/* The least of 1, 2 and 5 times a power of ten that is not less. */
static double nice(double least)
{
    double power = pow(10, floor(log10(least) + ROUNDING));
    static const double steps[] = {1, 2, 5};

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
        if (steps[i] * power >= least * (1 - ROUNDING))
            return steps[i] * power;
    return 10 * power;
}

/* The last digit of a time that is printed. */
static double digit_of(double time, double unit)
{
    if (unit >= 1)
        return unit;
    return time >= 1 ? 1e-3 : time >= 1e-3 ? 1e-6 : 1e-9;
}

static void make_equal(struct latency_bins *b, double min, double max, double unit)
{
    double least = fmax(unit, digit_of(max, unit));
    double step = nice(fmax((max - min) / LINEAR_ROWS, least)),
           first = floor(min / step + ROUNDING);

    for (b->count = 0; b->count < LATENCY_BINS_MAX; b->count++) {
        b->edges[b->count] = (first + (double)b->count) * step;
        if (b->count != 0 && b->edges[b->count] > max * (1 + ROUNDING))
            break;
    }
}

static void make_growing(struct latency_bins *b, double min, double max, double unit)
{
    double edge = nice(fmax(min, unit));

    b->edges[0] = 0;
    b->count = edge > min * (1 + ROUNDING);
    for (; b->count < LATENCY_BINS_MAX; b->count++) {
        b->edges[b->count] = edge;
        if (b->count != 0 && edge > max * (1 + ROUNDING))
            break;
        edge = nice(edge * 1.5);
    }
}

static void fill(void *filling, double ticks, uint64_t count)
{
    const struct filling *f = filling;
    double time = ticks * f->unit * (1 + ROUNDING);
    size_t i = 0;

    while (i + 1 < f->bins->count && time >= f->bins->edges[i + 1])
        i++;
    f->bins->counts[i] += count;
}

struct latency_bins latency_bins(struct durations *durations, double unit)
{
    struct latency_bins bins = {.count = 0};
    struct filling filling = {.bins = &bins, .unit = unit};
    double min = (double)durations->min * unit, max = (double)durations->max * unit;

    if (max <= LATENCY_LINEAR * min)
        make_equal(&bins, min, max, unit);
    else
        make_growing(&bins, min, max, unit);
    durations_each(durations, fill, &filling);
    return bins;
}
