/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions that libm does not have. */
#include "special.h"

#include <math.h>

static const double sqrt2 = 1.4142135623730951;

double special_normal_tail(double z)
{
    return 0.5 * erfc(z / sqrt2);
}

/* The z between 0 and high where falling(z, parameter) is value. */
static double where_falls(double (*falling)(double, double), double parameter, double value,
                          double high)
{
    double low = 0;

    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (falling(middle, parameter) > value)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static double normal_tail(double z, double unused)
{
    (void)unused;
    return special_normal_tail(z);
}

double special_normal_quantile(double tail)
{
    return tail >= 0.5 ? 0 : where_falls(normal_tail, 0, tail, 40);
}

/* One step of Lentz's way to work out a continued fraction: d_n makes it longer. */
static void lentz(double coefficient, double *c, double *d, double *value)
{
    const double tiny = 1e-300;

    *d = 1 + coefficient * *d;
    *c = 1 + coefficient / *c;
    *d = 1 / (fabs(*d) < tiny ? tiny : *d);
    *c = fabs(*c) < tiny ? tiny : *c;
    *value *= *c * *d;
}

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), good for x below
 * (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;

    for (int m = 1; m < 500; m++) {
        double before = value;
        lentz(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), &c, &d, &value);
        lentz(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), &c, &d, &value);
        if (fabs(value - before) <= 1e-15 * fabs(value))
            break;
    }
    return value;
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta_regular(double a, double b, double x)
{
    if (x <= 0)
        return 0;
    if (x >= 1)
        return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double special_t_two_sided(double t, double df)
{
    if (df >= SPECIAL_DF_MANY)
        return 2 * special_normal_tail(fabs(t));
    return beta_regular(df / 2, 0.5, df / (df + t * t));
}

double special_t_quantile(double p, double df)
{
    double high = 40;

    while (special_t_two_sided(high, df) > p && high < 1e12)
        high *= 10;
    return where_falls(special_t_two_sided, df, p, high);
}
