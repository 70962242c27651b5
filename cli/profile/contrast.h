/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row's hits on two sides against the hits of what it is compared with. */
#ifndef PROFILE_CONTRAST_H
#define PROFILE_CONTRAST_H

#include <stdbool.h>

/* Most hits of a row with which the test is exact. */
#define CONTRAST_EXACT 200

/* (b / a) / (other_b / other_a) is what is asked about. All >= 0; a and b are whole numbers where
 * discrete is set. Each hit counts for 1 / spread hits (spread > 0: noise beyond counting). */
struct contrast {
    double a, b;
    double other_a, other_b;
    double spread;
    double reach; /* for the ends of the interval: special_t_quantile() of 5 % and df */
    bool discrete;
};

/* Two-sided p value of "the ratio is 1"; *sign becomes the direction: -1, 0 or 1. */
double contrast_p(const struct contrast *contrast, int *sign);

/* The ratio below which (above which) the hits would be too many (too few) at 2.5 %; 0 and INFINITY
 * where nothing bounds it. */
double contrast_low(const struct contrast *contrast);
double contrast_high(const struct contrast *contrast);

#endif
