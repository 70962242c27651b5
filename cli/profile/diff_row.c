/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of one row of a diff. */
#include "diff_row.h"

#include <math.h>

#include "contrast.h"
#include "special.h"

double diff_spread(const struct diff_problem *p, const struct diff_work *row, double scale)
{
    double n = row->hits[DIFF_BASE] + row->hits[DIFF_NEWER];
    double a = fmax(0.5, n / (1 + scale)), b = fmax(0.5, n * scale / (1 + scale));
    double poisson = 1 / a + 1 / b;
    double counting = p->options->exact ? 1 / (a * a) + 1 / (b * b) : poisson;
    double runs = row->noise2 * (1 / p->runs[DIFF_BASE] + 1 / p->runs[DIFF_NEWER]);
    double spread = row->excess * (counting + runs) / poisson;

    return p->options->exact ? fmax(spread, 1e-9) : fmax(spread, 1);
}

/* The row with given hits against the others. */
static struct contrast against(const struct diff_problem *p, const struct diff_work *row, double a,
                               double b, const struct diff_others *others)
{
    return (struct contrast){.a = a,
                             .b = b,
                             .other_a = others->hits[DIFF_BASE] * row->spread,
                             .other_b = others->hits[DIFF_NEWER] * row->spread,
                             .spread = row->spread,
                             .df = row->df,
                             .reach = row->reach,
                             .discrete = !p->options->exact};
}

/* What was lost is taken against the change: only what remains of it is tested. */
double diff_row_p(const struct diff_problem *p, const struct diff_work *row,
                  const struct diff_others *others, int *direction)
{
    double scale = others->hits[DIFF_NEWER] / others->hits[DIFF_BASE];
    bool more = row->hits[DIFF_NEWER] > row->hits[DIFF_BASE] * scale;
    double a = (more ? row->most : row->least)[DIFF_BASE];
    double b = (more ? row->least : row->most)[DIFF_NEWER];
    struct contrast c = against(p, row, a, b, others);

    *direction = 0;
    if (more ? b <= a * scale : b >= a * scale)
        return 1;
    return contrast_p(&c, direction);
}

/* An end of Wilson's interval at z of a share q, of hits that count for 1 / unit; sign: which. */
static double share_end(double q, double unit, double z, int sign)
{
    double zz = z * z * unit;
    double middle = (q + zz / 2) / (1 + zz);
    double half = sqrt(fmax(0, q * (1 - q) * zz + zz * zz / 4)) / (1 + zz);

    return sign < 0 ? fmin(q, fmax(0, middle - half)) : fmax(q, fmin(1, middle + half));
}

void diff_new_share(const struct diff_row *row, double error, double *low, double *high)
{
    double z = special_t_quantile(error, row->new_df);

    *low = share_end(row->new_least, row->new_unit, z, -1);
    *high = share_end(row->new_most, row->new_unit, z, 1);
}

/* The new share, as a budget needs it. */
static void fill_share(const struct diff_problem *p, const struct diff_work *row,
                       struct diff_row *out)
{
    double total = p->totals[DIFF_NEWER];
    double hits = fmax(row->hits[DIFF_NEWER], 0.5);
    double counting = p->options->exact ? 1 / (hits * hits) : 1 / hits;
    double spread = row->excess * (counting + row->noise2 / p->runs[DIFF_NEWER]) * hits;

    if (p->options->exact && isnan(p->noise2))
        spread = 0;
    else if (!p->options->exact)
        spread = fmax(spread, 1);
    out->new_least = row->least[DIFF_NEWER] / total;
    out->new_most = fmin(1, row->most[DIFF_NEWER] / total);
    out->new_unit = spread / total;
    out->new_df = row->df;
    out->new_low = share_end(out->new_least, out->new_unit, row->reach, -1);
    out->new_high = share_end(out->new_most, out->new_unit, row->reach, 1);
}

/* The row's change, in base's whole, that a ratio means: the hits of both sides together are what
 * they were. Grows with the ratio, and is finite for 0 and INFINITY. */
static double change_of(const struct diff_problem *p, const struct diff_work *row, double ratio,
                        double scale)
{
    double n = row->hits[DIFF_BASE] + row->hits[DIFF_NEWER];
    double part = isinf(ratio) ? 1 / scale : (ratio - 1) / (1 + ratio * scale);

    return n / p->totals[DIFF_BASE] * part;
}

/* The interval of the ratio and that of the hits of both sides together, added as R. G. Newcombe
 * (1998) adds them. It has the sign that the interval of the ratio has. */
static void fill_change(const struct diff_problem *p, const struct diff_work *row, double scale,
                        struct diff_row *out)
{
    double n = row->hits[DIFF_BASE] + row->hits[DIFF_NEWER];
    double size = isnan(out->p) ? 0 : row->reach * sqrt(row->spread / n);

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

/* Nothing is known of noise: only what was lost. */
static void bound_ratio(const struct diff_work *row, double scale, struct diff_row *out)
{
    out->ratio_low = row->least[DIFF_NEWER] / row->most[DIFF_BASE] / scale;
    out->ratio_high = row->least[DIFF_BASE] > 0
                          ? row->most[DIFF_NEWER] / row->least[DIFF_BASE] / scale
                          : INFINITY;
}

static void fill_ratio(const struct diff_problem *p, const struct diff_work *row,
                       const struct diff_others *others, struct diff_row *out)
{
    double scale = others->hits[DIFF_NEWER] / others->hits[DIFF_BASE];

    out->ratio =
        row->hits[DIFF_BASE] > 0 ? row->hits[DIFF_NEWER] / row->hits[DIFF_BASE] / scale : INFINITY;
    if (isnan(out->p)) {
        bound_ratio(row, scale, out);
        return;
    }
    struct contrast low = against(p, row, row->most[DIFF_BASE], row->least[DIFF_NEWER], others);
    struct contrast high = against(p, row, row->least[DIFF_BASE], row->most[DIFF_NEWER], others);
    out->ratio_low = fmin(contrast_low(&low), out->ratio);
    out->ratio_high = fmax(contrast_high(&high), out->ratio);
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
}

void diff_row_fill(const struct diff_problem *p, const struct diff_work *row,
                   const struct diff_others *others, struct diff_row *out)
{
    out->state = state_of(out);
    out->base_share = row->hits[DIFF_BASE] / p->totals[DIFF_BASE];
    out->new_share = row->hits[DIFF_NEWER] / p->totals[DIFF_NEWER];
    out->share_change = out->new_share - out->base_share;
    out->noise = isnan(p->noise2) ? NAN : sqrt(row->noise2 * row->excess);
    fill_share(p, row, out);
    if (out->state == DIFF_EMPTY || others->hits[DIFF_BASE] <= 0 || others->hits[DIFF_NEWER] <= 0) {
        fill_unknown(out);
        return;
    }
    fill_ratio(p, row, others, out);
    fill_change(p, row, others->hits[DIFF_NEWER] / others->hits[DIFF_BASE], out);
}
