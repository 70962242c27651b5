/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits and budgets against what is known of a row. */
#include <math.h>

#include "unit.h"

#include <profile/gate.h>

#include "diff_checks.h"

static void test_gate(void **state)
{
    static const struct {
        const char *limit;
        double changed;
        enum gate_result result;
    } cases[] = {
        {"+5%", 1.3, GATE_ABOVE},   {"+5%", 1.0, GATE_WITHIN}, {"+5%", 0.5, GATE_WITHIN},
        {"+5%", 1.052, GATE_OPEN},  {"+5%", 1.048, GATE_OPEN}, {"-5%", 0.7, GATE_ABOVE},
        {"-5%", 1.5, GATE_WITHIN},  {"+2pp", 1.3, GATE_ABOVE}, {"+10pp", 1.3, GATE_WITHIN},
        {"+6pp", 1.302, GATE_OPEN}, {"-2pp", 0.8, GATE_ABOVE}, {"-30pp", 0.1, GATE_WITHIN}};
    struct gate_threshold t;

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct runs r;
        make_runs(&r, cases[i].changed);
        struct diff d = diff_of_runs(&r);
        assert_true(gate_parse(cases[i].limit, &t));
        struct diff_limit limit = {
            .row = 1, .limit = fmax(gate_limit(&t, &d.rows[1]), 1e-9), .falls = t.limit < 0};
        assert_true(diff_prove(&d, &limit, 1));
        if (gate_judge(&t, &d.rows[1], &limit) != cases[i].result)
            fail_msg("%s of %g: %d", cases[i].limit, cases[i].changed,
                     (int)gate_judge(&t, &d.rows[1], &limit));
        diff_free(&d);
    }
    static const char *const wrong[] = {"",     "5%",   "+5", "+pp",   "=+5%",    "+1e3%",
                                        "+5 %", "+5%%", "a=", "+nan%", "+1.2.3pp"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_false(gate_parse(wrong[i], &t));
    assert_true(gate_parse("fir_*=+5%", &t) && t.glob_len == 5 && !t.points);
}

/* A share of 20 % of 100,000 hits: Wilson's interval, at 95 % for all budgets together. */
static void test_budget(void **state)
{
    struct pair pair;
    double low, high;

    struct diff d = diff_between(&pair, plain, plain);
    const struct diff_row *row = &d.rows[1];
    assert_int_equal(gate_budget(row, 0.19752, 1, &low, &high), GATE_ABOVE);
    assert_near(low, 0.197533, 1e-6);
    assert_near(high, 0.202491, 1e-6);
    assert_int_equal(gate_budget(row, 0.2025, 1, &low, &high), GATE_WITHIN);
    assert_int_equal(gate_budget(row, 0.19752, 10, &low, &high), GATE_OPEN);
    assert_near(low, 0.2 - 2.807034 * sqrt(0.2 * 0.8 / 1e5), 3e-5);
    assert_int_equal(gate_budget(row, 0.2025, 10, &low, &high), GATE_OPEN);
    assert_int_equal(gate_budget(row, 0.196, 10, &low, &high), GATE_ABOVE);
    diff_free(&d);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gate),
        cmocka_unit_test(test_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
