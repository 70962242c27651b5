/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the shares of two sides. */
#include <doctor/homogeneity.h>

#include <math.h>

/* Fewer hits than this are expected: chi-squared does not fit. */
#define EXPECTED_MIN 5

struct sides {
    double one, other; /* hits of each */
};

static struct sides sum_of(const uint64_t *one, const uint64_t *other, size_t count)
{
    struct sides sum = {0, 0};

    for (size_t i = 0; i < count; i++) {
        sum.one += (double)one[i];
        sum.other += (double)other[i];
    }
    return sum;
}

/* The smaller of the hits that are expected on the two sides. */
static double least_expected(const struct sides *row, const struct sides *sum)
{
    return (row->one + row->other) * fmin(sum->one, sum->other) / (sum->one + sum->other);
}

static double distance(const struct sides *row, const struct sides *sum)
{
    double all = row->one + row->other, total = sum->one + sum->other;
    double one = all * sum->one / total, other = all * sum->other / total;

    return (row->one - one) * (row->one - one) / one +
           (row->other - other) * (row->other - other) / other;
}

static double tail(double chi_squared, double freedom)
{
    double spread = 2 / (9 * freedom);

    return 0.5 * erfc((cbrt(chi_squared / freedom) - (1 - spread)) / sqrt(2 * spread));
}

struct homogeneity homogeneity_test(const uint64_t *one, const uint64_t *other, size_t count)
{
    struct sides sum = sum_of(one, other, count), rest = {0, 0};
    struct homogeneity result = {.chance = 1};
    double chi_squared = 0, most = -1;
    size_t rows = 0;

    for (size_t i = 0; i < count && sum.one > 0 && sum.other > 0; i++) {
        struct sides row = {(double)one[i], (double)other[i]};
        if (least_expected(&row, &sum) < EXPECTED_MIN) {
            rest.one += row.one;
            rest.other += row.other;
            continue;
        }
        double part = distance(&row, &sum);
        chi_squared += part;
        rows++;
        if (part > most) {
            most = part;
            result.largest = i;
        }
    }
    if (rows != 0 && least_expected(&rest, &sum) >= EXPECTED_MIN) {
        chi_squared += distance(&rest, &sum);
        rows++;
    }
    if (rows > 1)
        result.chance = tail(chi_squared, (double)rows - 1);
    return result;
}
