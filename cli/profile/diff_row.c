/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of one row of a diff. */
#include "diff_row.h"

#include <math.h>

#include <profile/stats.h>

#include "contrast.h"
#include "special.h"

/* The row with given hits against the others, whose hits of new are multiplied by limit. */
static struct contrast against(const struct diff_work *row, double a, double b, double spread)
{
    return (struct contrast){.a = a,
                             .b = b,
                             .other_a = row->others.hits[DIFF_BASE] * spread,
                             .other_b = row->others.hits[DIFF_NEWER] * spread,
                             .spread = spread,
                             .reach = row->reach,
                             .discrete = true};
}

/* New grows until it has as many hits as base, and was looked at from 1/64 of it on: the chance
 * that p was ever so small (D. Siegmund 1985). */
static double p_ever(double p, double base_hits, double new_hits)
{
    static const double pi = 3.141592653589793, looks = 64;
    double z = p < 1e-290 ? 37 : special_normal_quantile(fmin(p / 2, 0.5));

    if (z < 1.2 || new_hits * looks < base_hits)
        return 1;
    return fmin(1, exp(-z * z / 2) / sqrt(2 * pi) * ((z - 1 / z) * log(looks) + 4 / z));
}

double diff_row_p(const struct diff_kept *kept, const struct diff_work *row, double limit,
                  int *direction)
{
    double scale = limit * row->others.hits[DIFF_NEWER] / row->others.hits[DIFF_BASE];
    bool more = row->hits[DIFF_NEWER] > row->hits[DIFF_BASE] * scale;
    double a = (more ? row->most : row->least)[DIFF_BASE];
    double b = (more ? row->least : row->most)[DIFF_NEWER];
    bool runs = kept->contrasts > 1;
    struct contrast c = against(row, a, b, runs ? 1 : row->spread);

    *direction = 0;
    if (more ? b <= a * scale : b >= a * scale)
        return 1;
    if (kept->exact && runs) { /* nothing was left to chance in counting */
        *direction = more ? 1 : -1;
        return 0;
    }
    c.discrete = !kept->exact;
    c.other_b *= limit;
    double p = contrast_p(&c, direction);
    return kept->repeated && !runs
               ? p_ever(p, row->others.hits[DIFF_BASE], row->others.hits[DIFF_NEWER])
               : p;
}

double diff_row_p_runs(const struct diff_kept *kept, const struct diff_work *row)
{
    double df = (double)kept->contrasts - 1;

    if (df <= 0)
        return 0;
    return special_t_two_sided(row->y_worst / sqrt(fmax(row->own2, row->floor2)), df);
}

struct diff_item diff_item_of(const struct diff_work *row)
{
    return (struct diff_item){.y = row->y,
                              .sign = 1,
                              .worst = row->y_worst,
                              .own2 = row->own2,
                              .floor2 = row->floor2,
                              .weight = row->weight,
                              .p = row->p_count};
}

struct diff_item diff_limit_item(const struct diff_kept *kept, const struct diff_work *row,
                                 const struct diff_limit *limit)
{
    double shift = log(limit->limit) / diff_contrast_unit(kept);
    double sign = limit->falls ? -1 : 1;
    struct diff_item item = diff_item_of(row);
    int direction;
    double p = diff_row_p(kept, row, limit->limit, &direction);

    item.shift = shift;
    item.sign = sign;
    item.worst = sign * (row->y_worst - shift);
    item.p = direction == (limit->falls ? -1 : 1) ? p / 2 : 1;
    return item;
}

void diff_new_share(const struct diff_row *row, double error, double *low, double *high)
{
    double z = special_t_quantile(error, row->new_df);

    *low = stats_wilson_end(row->new_least, row->new_unit, z, -1);
    *high = stats_wilson_end(row->new_most, row->new_unit, z, 1);
}

/* The new share, as a budget needs it. */
static void fill_share(const struct diff_problem *p, const struct diff_work *row,
                       struct diff_row *out)
{
    double total = p->totals[DIFF_NEWER];
    double hits = fmax(row->hits[DIFF_NEWER], 0.5);
    double spread = fmax(row->own2, row->floor2) / p->kept->runs[DIFF_NEWER] * hits;

    if (p->options->exact && isnan(p->kept->noise2))
        spread = 0;
    else if (!p->options->exact)
        spread = fmax(spread, 1);
    out->new_least = row->least[DIFF_NEWER] / total;
    out->new_most = fmin(1, row->most[DIFF_NEWER] / total);
    out->new_unit = spread / total;
    out->new_df = row->df;
}

/* Nothing is known of noise: only what was lost. */
static bool is_bare(const struct diff_problem *p)
{
    return p->options->exact && isnan(p->kept->noise2);
}

/* The row's change, in base's whole, that a ratio means: the hits of both sides together are what
 * they were. Grows with the ratio, and is finite for 0 and INFINITY. */
static double change_of(const struct diff_problem *p, const struct diff_work *row, double ratio,
                        double scale)
{
    double n = row->all;
    double part = isinf(ratio) ? 1 / scale : (ratio - 1) / (1 + ratio * scale);

    return n / p->totals[DIFF_BASE] * part;
}

/* The interval of the ratio and that of the hits of both sides together, added as R. G. Newcombe
 * (1998) adds them. It has the sign that the interval of the ratio has. */
static void fill_change(const struct diff_problem *p, const struct diff_work *row, double scale,
                        struct diff_row *out)
{
    double n = row->all;
    double size = is_bare(p) ? 0 : row->reach * sqrt(row->spread / n);

    out->change = change_of(p, row, out->ratio, scale);
    double low = change_of(p, row, out->ratio_low, scale);
    double high = change_of(p, row, out->ratio_high, scale);
    out->change_low = out->change - hypot(out->change - low, out->change * size);
    out->change_high = out->change + hypot(out->change - high, out->change * size);
    if (out->ratio_low >= 1)
        out->change_low = fmax(0, out->change_low);
    if (out->ratio_high <= 1)
        out->change_high = fmin(0, out->change_high);
}

static void bound_ratio(const struct diff_work *row, double scale, struct diff_row *out)
{
    out->ratio_low = row->least[DIFF_NEWER] / row->most[DIFF_BASE] / scale;
    out->ratio_high = row->least[DIFF_BASE] > 0
                          ? row->most[DIFF_NEWER] / row->least[DIFF_BASE] / scale
                          : INFINITY;
}

static void fill_ratio(const struct diff_problem *p, const struct diff_work *row,
                       struct diff_row *out)
{
    double scale = row->others.hits[DIFF_NEWER] / row->others.hits[DIFF_BASE];

    out->ratio =
        row->hits[DIFF_BASE] > 0 ? row->hits[DIFF_NEWER] / row->hits[DIFF_BASE] / scale : INFINITY;
    if (is_bare(p)) {
        bound_ratio(row, scale, out);
        return;
    }
    struct contrast low = against(row, row->most[DIFF_BASE], row->least[DIFF_NEWER], row->spread);
    struct contrast high = against(row, row->least[DIFF_BASE], row->most[DIFF_NEWER], row->spread);
    low.discrete = high.discrete = !p->options->exact;
    out->ratio_low = fmin(contrast_low(&low), out->ratio);
    out->ratio_high = fmax(contrast_high(&high), out->ratio);
}

/* What is shown: the row's part of what its hits are divided by. */
static void fill_figures(const struct diff_problem *p, const struct diff_work *row, double scale,
                         struct diff_row *out)
{
    bool hits = p->per == DIFF_PER_MEDIAN || p->per == DIFF_PER_FUNCTION;
    double whole = p->totals[DIFF_BASE];

    if (!hits) {
        whole = 0;
        for (size_t k = 0; k < p->sides[DIFF_BASE].count; k++)
            whole += exp(p->reference[k]);
    }
    out->base_figure = row->hits[DIFF_BASE] / whole;
    out->new_figure = row->hits[DIFF_NEWER] / whole / scale;
}

static enum diff_state state_of(const struct diff_row *row)
{
    if (row->base_hits == 0)
        return row->new_hits == 0 ? DIFF_EMPTY : DIFF_NEW;
    return row->new_hits == 0 ? DIFF_GONE : DIFF_BOTH;
}

static void fill_unknown(struct diff_row *out)
{
    out->ratio = out->ratio_low = out->ratio_high = NAN;
    out->change = out->change_low = out->change_high = NAN;
    out->base_figure = out->new_figure = NAN;
}

void diff_row_fill(const struct diff_problem *p, size_t index, struct diff_row *out)
{
    const struct diff_work *row = &p->rows[index];

    out->index = index;
    out->idle = p->options->idle && p->options->idle[index];
    out->base_hits = (uint64_t)row->hits[DIFF_BASE];
    out->new_hits = (uint64_t)row->hits[DIFF_NEWER];
    out->state = state_of(out);
    out->base_share = row->hits[DIFF_BASE] / p->totals[DIFF_BASE];
    out->new_share = row->hits[DIFF_NEWER] / p->totals[DIFF_NEWER];
    out->share_change = out->new_share - out->base_share;
    out->noise =
        isnan(p->kept->noise2) ? NAN : sqrt(fmax(0, fmax(row->own2, row->floor2) - row->counting));
    fill_share(p, row, out);
    double scale = row->others.hits[DIFF_NEWER] / row->others.hits[DIFF_BASE];
    if (out->state == DIFF_EMPTY || !(scale > 0) || isinf(scale)) {
        fill_unknown(out);
        return;
    }
    fill_figures(p, row, scale, out);
    fill_ratio(p, row, out);
    fill_change(p, row, scale, out);
}
