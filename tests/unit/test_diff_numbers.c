/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a diff computes with, against known numbers: distributions, intervals, the centre. */
#include <math.h>

#include "unit.h"

#include "contrast.h"
#include "diff_private.h"
#include "special.h"

/* Student's table, and closed forms: one degree of freedom is Cauchy's distribution. */
static void test_distributions(void **state)
{
    assert_near(special_t_quantile(0.05, 4), 2.7764451, 1e-6);
    assert_near(special_t_quantile(0.01, 10), 3.1692727, 1e-6);
    assert_near(special_t_quantile(0.05, INFINITY), 1.9599640, 1e-6);
    assert_near(special_t_quantile(1e-6, 1), 636619.77, 1);
    for (double t = 0.1; t < 50; t *= 1.7) {
        assert_near(special_t_two_sided(t, 1), 1 - 2 / acos(-1) * atan(t), 1e-12);
        assert_near(special_t_two_sided(t, 2), 1 - t / sqrt(2 + t * t), 1e-12);
    }
    assert_near(special_normal_quantile(0.025), 1.9599640, 1e-6);
}

/* C(n, k) for small n. */
static double choose(int n, int k)
{
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

/* Fisher's table by its definition, all margins fixed. */
static void test_exact(void **state)
{
    for (int b = 0; b <= 9; b++) {
        const struct contrast c = {.a = 9 - b,
                                   .b = b,
                                   .other_a = 30,
                                   .other_b = 20,
                                   .spread = 1,
                                   .discrete = true};
        double all_b = 20 + b, sum = 0;
        for (int x = 0; x <= 9; x++) {
            double p = choose((int)all_b, x) * choose(59 - (int)all_b, 9 - x) / choose(59, 9);
            sum += x > b ? p : x == b ? p / 2 : 0;
        }
        int sign;
        assert_near(contrast_p(&c, &sign), fmin(1, 2 * fmin(sum, 1 - sum)), 1e-9);
        assert_int_equal(sign, sum < 0.5 ? 1 : -1);
    }
}

static struct contrast contrast_of(double a, double b, double other, double spread)
{
    return (struct contrast){.a = a,
                             .b = b,
                             .other_a = other,
                             .other_b = other,
                             .spread = spread,
                             .reach = 1.959964,
                             .discrete = true};
}

/* Contrasts turn runs without stretching them, and the first one is new minus base. */
static void test_contrasts(void **state)
{
    const double x[5] = {1.5, -0.25, 4, 2, 0.5};
    double y[4], sum = 0, squares = 0, turned = 0;

    diff_contrasts(x, 3, 2, y);
    for (size_t k = 0; k < 5; k++) {
        sum += x[k];
        squares += x[k] * x[k];
    }
    for (size_t k = 0; k < 4; k++)
        turned += y[k] * y[k];
    assert_near(turned, squares - sum * sum / 5, 1e-12);
    assert_near(y[0] * sqrt(1.0 / 3 + 1.0 / 2), (2 + 0.5) / 2 - (1.5 - 0.25 + 4) / 3, 1e-12);
}

#define RUNS 5

/* One difference alone has no others to be larger: what rotations say is Student's t of it. */
static void test_rotations(void **state)
{
    double y[RUNS] = {0, 0.3, -0.5, 0.2, 0.4}, sum = 0.09 + 0.25 + 0.04 + 0.16;

    for (double t = 1; t < 6; t += 1) {
        y[0] = t * sqrt(sum / (RUNS - 1));
        struct diff_item item = {.y = y,
                                 .sign = 1,
                                 .worst = y[0],
                                 .own2 = sum / (RUNS - 1),
                                 .floor2 = 1e-9,
                                 .weight = 1,
                                 .p = 1e-9};
        double p = special_t_two_sided(t, RUNS - 1);
        assert_true(diff_decide(&item, 1, RUNS, false));
        assert_near(item.adjusted, p, 3 * sqrt(p / 2000) + 1e-3);
        assert_true(diff_decide(&item, 1, RUNS, true));
        assert_near(item.adjusted, p / 2, 3 * sqrt(p / 4000) + 1e-3);
        item.p = 0.2; /* the other hurdle */
        assert_true(diff_decide(&item, 1, RUNS, false));
        assert_near(item.adjusted, fmax(0.2, p), 0.04);
    }
}

/* A ratio at an end of the interval is one at which the hits are just too many: at 2.5 %. */
static void test_ends(void **state)
{
    const struct contrast binomial = contrast_of(10, 30, 1e9, 1);
    const struct contrast many = contrast_of(1e5, 1.1e5, 1e9, 1);
    const struct contrast wide = contrast_of(1e5, 1.1e5, 4e9, 4);
    double r = contrast_low(&binomial), p = r / (1 + r), sum = 0;

    for (int x = 30; x <= 40; x++)
        sum += choose(40, x) * pow(p, x) * pow(1 - p, 40 - x) * (x == 30 ? 0.5 : 1);
    assert_near(sum, 0.025, 1e-5);
    double half = 1.959964 * sqrt(1 / 1e5 + 1 / 1.1e5);
    assert_near(log(contrast_low(&many)), log(1.1) - half, 1e-4);
    assert_near(log(contrast_high(&many)), log(1.1) + half, 1e-4);
    assert_near(log(contrast_high(&wide)), log(1.1) + 2 * half, 2e-4);
}

#define POINTS 600

static double random_of(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* The sum that the centre is to maximise (docs/statistics.md, "Median"). */
static double agreed_at(const struct diff_point *points, size_t count, double centre)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        double off = points[i].x - centre;
        sum += pow(fmax(0, 1 - off * off / (5.5 * 5.5 * points[i].variance)), 3);
    }
    return sum;
}

/* Groups of rows that agree among themselves, of all sorts of sharpness. */
static size_t mix(struct diff_point *points, uint64_t *seed)
{
    size_t count = 3 + (size_t)(random_of(seed) * (POINTS - 3));
    size_t groups = 1 + (size_t)(random_of(seed) * 4);
    double span = exp(6 * random_of(seed));

    for (size_t i = 0; i < count; i++) {
        size_t group = (size_t)(random_of(seed) * random_of(seed) * (double)groups);
        double off = random_of(seed) + random_of(seed) + random_of(seed) - 1.5;
        double sd = 0.002 * pow(span, random_of(seed)) * (group ? 0.5 : 1);
        points[i] = (struct diff_point){
            .x = 0.1 * (double)group + 2 * sd * off, .variance = sd * sd, .row = i};
    }
    return count;
}

/* Nowhere do rows agree much better than at the centre. */
static void test_centre(void **state)
{
    static struct diff_point points[POINTS];
    uint64_t seed = 1;

    for (int trial = 0; trial < 200; trial++) {
        size_t count = mix(points, &seed);
        double found = agreed_at(points, count, diff_centre(points, count)), best = 0;
        for (size_t i = 0; i < count; i++)
            best = fmax(best, agreed_at(points, count, points[i].x));
        for (double x = -1; x < 1; x += 0.01)
            best = fmax(best, agreed_at(points, count, x));
        if (found < 0.98 * best)
            fail_msg("trial %d, %zu points: %g where %g can be had", trial, count, found, best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distributions), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_ends),          cmocka_unit_test(test_centre),
        cmocka_unit_test(test_contrasts),     cmocka_unit_test(test_rotations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
