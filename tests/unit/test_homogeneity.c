/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The test of homogeneity, against tails of chi-squared from tables. */
#include "unit.h"

#include <math.h>

#include <doctor/homogeneity.h>

static double chance(const uint64_t *one, const uint64_t *other, size_t count)
{
    return homogeneity_test(one, other, count).chance;
}

/* The tail is an approximation. */
static void assert_close(double value, double expected)
{
    assert_near(value, expected, 0.1 * expected);
}

/* Chi-squared is 8, with 1 degree of freedom and with 4. */
static void known_tails(void **state)
{
    const uint64_t one[] = {60, 40}, other[] = {40, 60};
    const uint64_t five[] = {110, 90, 100, 110, 90}, fives[] = {90, 110, 100, 90, 110};

    (void)state;
    assert_close(chance(one, other, 2), 0.004678);
    assert_close(chance(five, fives, 5), 0.09158);
}

static void same_shares(void **state)
{
    const uint64_t one[] = {500, 300, 200}, other[] = {50, 30, 20};

    (void)state;
    assert_true(chance(one, other, 3) > 0.9);
}

/* What is rare counts together, and only as much as it is. */
static void rare_rows(void **state)
{
    const uint64_t one[] = {1000, 1, 0, 2}, other[] = {1000, 0, 2, 1};
    const uint64_t many[] = {1000, 1000, 3, 3, 3, 3}, none[] = {1000, 1000, 0, 0, 0, 0};
    const uint64_t odd[] = {1000, 1000, 400}, even[] = {1000, 1000, 0};

    (void)state;
    assert_true(chance(one, other, 4) == 1); /* one row is left */
    assert_close(chance(many, none, 6), 0.0025);
    assert_true(chance(odd, even, 3) < 1e-20);
    assert_int_equal(homogeneity_test(odd, even, 3).largest, 2);
}

static void nothing_to_compare(void **state)
{
    const uint64_t one[] = {10, 20}, none[] = {0, 0};

    (void)state;
    assert_true(chance(one, none, 2) == 1);
    assert_true(chance(none, none, 2) == 1);
    assert_true(chance(one, one, 0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_tails),
        cmocka_unit_test(same_shares),
        cmocka_unit_test(rare_rows),
        cmocka_unit_test(nothing_to_compare),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
