/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two ways of sampling see the same program. */
#ifndef DOCTOR_HOMOGENEITY_H
#define DOCTOR_HOMOGENEITY_H

#include <stddef.h>
#include <stdint.h>

/* The outcome of the test. */
struct homogeneity {
    double chance;  /* of counts at least as different as these, if the shares are the same; 1 if
                     * there are too few to tell */
    size_t largest; /* the row that differs most; valid if chance is below 1 */
};

/*
 * Pearson's chi-squared test of homogeneity (K. Pearson, 1911, Biometrika 8) of count rows of two
 * sides. Rows of which fewer than 5 hits are expected on a side are tested together. The tail of
 * chi-squared is that of Wilson and Hilferty (1931, PNAS 17), which is good to a tenth.
 */
struct homogeneity homogeneity_test(const uint64_t *one, const uint64_t *other, size_t count);

#endif
