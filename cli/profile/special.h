/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions that libm does not have (docs/statistics.md, "Functions"). */
#ifndef PROFILE_SPECIAL_H
#define PROFILE_SPECIAL_H

/* Degrees of freedom from which on Student's t is taken as normal. */
#define SPECIAL_DF_MANY 1e5

/* P(Z > z) of the standard normal, and the z > 0 whose tail it is (0 < tail <= 0.5). */
double special_normal_tail(double z);
double special_normal_quantile(double tail);

/* P(|T| > |t|) of Student's t with df > 0 degrees of freedom, INFINITY: normal. */
double special_t_two_sided(double t, double df);
/* The t with P(|T| > t) == p, 0 < p < 1. */
double special_t_quantile(double p, double df);

#endif
