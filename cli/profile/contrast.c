/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row's hits on two sides against others: exact for few hits, signed root of the likelihood
 * ratio for many (docs/statistics.md, "First hurdle"). */
#include "contrast.h"

#include <math.h>
#include <stddef.h>

#include "special.h"

/* Hits that the ratio would give to b, margins kept: the root of a quadratic equation. */
static double fitted_b(const struct contrast *c, double ratio)
{
    double n = c->a + c->b;
    double all_b = c->b + c->other_b;
    double linear = c->other_a - c->b + ratio * (n + all_b);
    double root = sqrt(fmax(0, linear * linear + 4 * (1 - ratio) * ratio * n * all_b));

    if (linear < 0 && fabs(1 - ratio) > 1e-9)
        return (root - linear) / (2 * (1 - ratio));
    return 2 * ratio * n * all_b / (linear + root);
}

/* seen * log(seen / expected) - (seen - expected), without the loss of digits when both are large
 * and close to each other; excess is seen - expected. */
static double deviance(double seen, double excess)
{
    double expected = seen - excess;

    if (seen <= 0)
        return expected;
    if (expected <= 0)
        return INFINITY;
    double x = excess / expected;
    if (fabs(x) > 1e-3)
        return seen * log(seen / expected) - excess;
    return expected * x * x * (0.5 - x * (1.0 / 6 - x * (1.0 / 12 - x / 20)));
}

/* Signed root of the likelihood ratio: > 0 when b has more than the ratio would give it. */
static double likelihood_z(const struct contrast *c, double ratio)
{
    double excess = c->b - fitted_b(c, ratio);
    double sum = deviance(c->b, excess) + deviance(c->a, -excess) + deviance(c->other_b, -excess) +
                 deviance(c->other_a, excess);

    return copysign(sqrt(2 * fmax(0, sum)), excess);
}

struct tails {
    double below, at, above; /* the weight of fewer hits, as many, and more hits than b */
};

static void tails_add(struct tails *tails, double b, double x, double weight)
{
    if (x < b)
        tails->below += weight;
    else if (x > b)
        tails->above += weight;
    else
        tails->at += weight;
}

/* Weight of x + 1 over that of x in Fisher's noncentral hypergeometric distribution. */
static double step_up(const struct contrast *c, double ratio, double x)
{
    double n = c->a + c->b, all_b = round(c->other_b) + c->b;
    double rest = round(c->other_a) - c->b; /* all of side a less the n of the row */

    return ratio * (n - x) * (all_b - x) / ((x + 1) * (rest + x + 1));
}

/* Begins at the likeliest number and stops where nothing is added any more. */
static struct tails exact_tails(const struct contrast *c, double ratio)
{
    struct tails tails = {.below = 0, .at = 0, .above = 0};
    double n = c->a + c->b;
    double least = fmax(0, c->b - round(c->other_a));
    double most = fmin(n, c->b + round(c->other_b));
    double start = fmin(most, fmax(least, round(fitted_b(c, ratio))));
    double weight = 1;

    tails_add(&tails, c->b, start, 1);
    for (double x = start; x < most && weight > 1e-290; x++) {
        weight *= step_up(c, ratio, x);
        tails_add(&tails, c->b, x + 1, weight);
    }
    weight = 1;
    for (double x = start; x > least && weight > 1e-290; x--) {
        weight /= step_up(c, ratio, x - 1);
        tails_add(&tails, c->b, x - 1, weight);
    }
    return tails;
}

/* Mid-p of b or more (up), or of b or fewer. */
static double mid_tail(const struct contrast *c, double ratio, bool up)
{
    struct tails t = exact_tails(c, ratio);

    return ((up ? t.above : t.below) + t.at / 2) / (t.below + t.at + t.above);
}

static bool is_exact(const struct contrast *c)
{
    return c->discrete && c->a + c->b <= CONTRAST_EXACT;
}

static double exact_p(const struct contrast *c, int *sign)
{
    double up = mid_tail(c, 1, true), down = 1 - up;

    if (down < 1e-3)
        down = mid_tail(c, 1, false);
    double tail = fmin(0.5, fmin(up, down));
    *sign = up < down ? 1 : up > down ? -1 : 0;
    if (fabs(c->spread - 1) < 1e-9)
        return 2 * tail;
    double z = tail > 0 ? special_normal_quantile(tail) : 40;
    return 2 * special_normal_tail(z / sqrt(c->spread));
}

double contrast_p(const struct contrast *c, int *sign)
{
    *sign = 0;
    if (c->a + c->b <= 0 || c->other_a <= 0 || c->other_b <= 0)
        return 1;
    if (is_exact(c))
        return exact_p(c, sign);
    double z = likelihood_z(c, 1);
    *sign = z > 0 ? 1 : z < 0 ? -1 : 0;
    return 2 * special_normal_tail(fabs(z) / sqrt(c->spread));
}

/* How far the ratio is inside the interval: > 0 it is, < 0 it is not. */
static double inside(const struct contrast *c, double ratio, bool low, double z, double tail)
{
    if (is_exact(c))
        return log(fmax(1e-300, mid_tail(c, ratio, low)) / tail);
    return z - (low ? 1 : -1) * likelihood_z(c, ratio);
}

/* Where inside() changes its sign between the logarithms in and out: Illinois' false position. */
static double edge(const struct contrast *c, bool low, double in, double out, double z, double tail)
{
    double f_in = inside(c, exp(in), low, z, tail);
    double f_out = inside(c, exp(out), low, z, tail);
    int side = 0;

    for (int i = 0; i < 60 && fabs(in - out) > 1e-7; i++) {
        double middle = (in * f_out - out * f_in) / (f_out - f_in);
        double f = inside(c, exp(middle), low, z, tail);
        if (f >= 0) {
            in = middle, f_in = f;
            f_out = side == 1 ? f_out / 2 : f_out;
            side = 1;
        } else {
            out = middle, f_out = f;
            f_in = side == -1 ? f_in / 2 : f_in;
            side = -1;
        }
    }
    return exp(in);
}

/* Walks away from the middle of the interval until outside, by growing steps. */
static double bound(const struct contrast *c, bool low)
{
    const double half = 0.5; /* keeps the logarithm finite where one side has no hits */
    double n = 1 / (c->a + half) + 1 / (c->b + half) + 1 / c->other_a + 1 / c->other_b;
    double z = c->reach * sqrt(c->spread);
    double tail = special_normal_tail(z);
    double middle = log((c->b + half) / (c->a + half) * c->other_a / c->other_b);
    double step = (low ? -1 : 1) * z * sqrt(n);
    double in = middle, out = middle + step;

    for (int i = 0; i < 40 && inside(c, exp(out), low, z, tail) > 0; i++) {
        in = out;
        out += step;
    }
    /* Few hits may leave the middle itself outside. */
    for (int i = 0; i < 40 && inside(c, exp(in), low, z, tail) < 0; i++) {
        out = in;
        in -= step;
    }
    return edge(c, low, in, out, z, tail);
}

static bool is_unbounded(const struct contrast *c)
{
    return c->a + c->b <= 0 || c->other_a <= 0 || c->other_b <= 0;
}

double contrast_low(const struct contrast *c)
{
    return is_unbounded(c) || c->b <= 0 ? 0 : bound(c, true);
}

double contrast_high(const struct contrast *c)
{
    return is_unbounded(c) || c->a <= 0 ? INFINITY : bound(c, false);
}
