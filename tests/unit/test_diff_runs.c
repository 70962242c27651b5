/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff of several runs a side: what they differ by, references, idle, losses, camps. */
#include <math.h>

#include "unit.h"

#include "diff_checks.h"

/* Two recordings say what they differ by, not what builds do. */
static void test_one_run(void **state)
{
    struct runs r;

    make_runs(&r, 2);
    r.sides[0].count = r.sides[1].count = 1;
    struct diff d = diff_of_runs(&r);
    assert_int_equal(d.runs, 1);
    assert_true(isnan(d.rows[1].p) && isnan(d.noise) && !d.rows[1].significant);
    assert_true(d.rows[1].ratio_low > 1.9 && d.rows[1].ratio_high < 2.1);
    struct diff_limit limit = {.row = 1, .limit = 1.05};
    assert_true(diff_prove(&d, &limit, 1));
    assert_true(isnan(limit.adjusted));
    diff_free(&d);

    r.options.noise = 0.02;
    d = diff_of_runs(&r);
    assert_true(d.rows[1].significant);
    assert_true(diff_prove(&d, &limit, 1) && limit.adjusted < 1e-6);
    diff_free(&d);
}

/* Time if the core idles in every run, iterations if they are known, else what most rows agree on.
 */
static void test_reference(void **state)
{
    struct runs r;

    make_runs(&r, 1.5);
    struct diff d = diff_of_runs(&r);
    assert_int_equal(d.per, DIFF_PER_SECOND);
    assert_near(d.rows[0].base_figure, 0.4, 0.01);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(d.rows[i].significant, i == 1);
        assert_near(d.rows[i].new_figure / d.rows[i].base_figure, d.rows[i].ratio, 1e-9);
    }
    diff_free(&d);
    r.snapshots[2].idle = 0.005;
    d = diff_of_runs(&r);
    assert_true(d.per == DIFF_PER_MEDIAN && d.load == DIFF_LOAD_BETWEEN);
    assert_near(d.rows[1].new_figure / d.rows[1].base_figure, d.rows[1].ratio, 1e-9);
    diff_free(&d);
    for (size_t k = 0; k < 2 * SIDE; k++)
        r.snapshots[k].idle = 0;
    d = diff_of_runs(&r);
    assert_true(d.per == DIFF_PER_MEDIAN && d.load == DIFF_LOAD_FULL);
    diff_free(&d);
    /* Twice the iterations in new: all that is not twice as much is less. */
    for (size_t k = 0; k < 2 * SIDE; k++)
        r.snapshots[k].iterations = k < SIDE ? 500 : 1000;
    d = diff_of_runs(&r);
    assert_int_equal(d.per, DIFF_PER_ITERATION);
    assert_near(d.rows[0].ratio, 0.5, 0.01);
    assert_near(d.rows[0].base_figure, 40.0 / 500, 1e-3); /* 40 of 100 s */
    assert_int_equal(d.rows[0].direction, -1);
    diff_free(&d);
    r.snapshots[1].iterations = 0;
    r.options.per = DIFF_PER_ITERATION;
    assert_int_equal(diff_make(&r.sides[0], &r.sides[1], ROWS, &r.options, &d), DIFF_EITERATION);
}

/* Idle has no part in anything. */
static void test_idle(void **state)
{
    const bool idle[ROWS] = {false, true};
    struct runs r;

    make_runs(&r, 1.5);
    r.options.idle = idle;
    for (int median = 0; median < 2; median++) {
        r.options.per = median ? DIFF_PER_MEDIAN : DIFF_PER_SECOND;
        struct diff d = diff_of_runs(&r);
        assert_true(d.rows[1].idle && isnan(d.rows[1].p) && !d.rows[1].significant);
        assert_near(d.rows[1].ratio, 1.5, 0.02);
        for (size_t i = 0; i < ROWS; i++)
            assert_false(d.rows[i].significant);
        diff_free(&d);
    }
}

/* More runs on one side are not used: the result is that of the newest ones. */
static void test_unequal(void **state)
{
    struct runs r;

    make_runs(&r, 1.5);
    r.sides[0].snapshots++;
    r.sides[0].count--;
    r.sides[1].snapshots++;
    r.sides[1].count--;
    struct diff equal = diff_of_runs(&r);
    r.sides[0].snapshots--;
    r.sides[0].count++;
    r.hits[0][0].hits *= 7;
    struct diff d = diff_of_runs(&r);
    assert_int_equal(d.runs, 2);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(d.rows[i].base_hits, equal.rows[i].base_hits);
        assert_near(d.rows[i].adjusted, equal.rows[i].adjusted, 0);
    }
    diff_free(&d);
    diff_free(&equal);
}

/* What may be lost hits is no change, in any number of runs. */
static void test_losses_of_runs(void **state)
{
    struct runs r;

    make_runs(&r, 1.1);
    for (int median = 0; median < 2; median++) {
        r.options.per = median ? DIFF_PER_MEDIAN : DIFF_PER_SECOND;
        struct diff d = diff_of_runs(&r);
        assert_true(d.rows[1].significant);
        diff_free(&d);
        for (size_t k = 0; k < SIDE; k++) {
            r.snapshots[k].located = true;
            r.snapshots[k].dropped = 3000;
            r.hits[k][1].unseen_most = 2200;
        }
        d = diff_of_runs(&r);
        assert_false(d.rows[1].significant);
        assert_true(d.rows[1].ratio_low < 1);
        diff_free(&d);
        for (size_t k = 0; k < SIDE; k++)
            r.hits[k][1].unseen_most = 300;
        d = diff_of_runs(&r);
        assert_true(d.rows[1].significant);
        diff_free(&d);
        for (size_t k = 0; k < SIDE; k++)
            r.snapshots[k].dropped = 0;
    }
}

/* What is left of a change after losses is less than what runs differ by, though counting sees it.
 */
static void test_losses_and_noise(void **state)
{
    struct runs r;

    make_runs(&r, 1.1);
    for (size_t k = 0; k < 2 * SIDE; k++) {
        for (size_t i = 0; i < ROWS; i++)
            r.hits[k][i].hits *= 100;
        r.snapshots[k].duration_s *= 100;
        r.snapshots[k].located = true;
        r.snapshots[k].dropped = 300000;
        r.hits[k][1].unseen_most = k < SIDE ? 182000 : 0;
    }
    struct diff d = diff_of_runs(&r);
    assert_true(d.rows[1].ratio > 1.09 && !d.rows[1].significant);
    diff_free(&d);
    for (size_t k = 0; k < SIDE; k++)
        r.hits[k][1].unseen_most = 100;
    d = diff_of_runs(&r);
    assert_true(d.rows[1].significant);
    diff_free(&d);
}

/* Two camps of rows: none of either is judged. */
static void test_camps(void **state)
{
    struct runs r;

    make_runs(&r, 1);
    r.options.per = DIFF_PER_MEDIAN;
    for (size_t k = SIDE; k < 2 * SIDE; k++) {
        r.hits[k][0].hits = r.hits[k][0].hits * 6 / 5;
        r.hits[k][3].hits = r.hits[k][3].hits * 6 / 5;
    }
    struct diff d = diff_of_runs(&r);
    assert_true(d.contested);
    assert_true(fabs(fabs(log(d.rival)) - log(1.2)) < 0.02);
    for (size_t i = 0; i < 5; i++)
        assert_true(d.rows[i].in_camp && isnan(d.rows[i].p) && !d.rows[i].significant);
    diff_free(&d);
}

#define RUNS  3
#define TAIL  100
#define HEAVY 20

/* What a full table has of rows for which there is no room: now this one, now that one. */
static struct diff_hits tail_row(size_t i, size_t run)
{
    return (i + run) % 3 ? (struct diff_hits){.hits = 60, .inherited = 50}
                         : (struct diff_hits){.hits = 0};
}

static void compare_churned(size_t heavy, struct diff *d)
{
    static struct diff_hits hits[2][RUNS][HEAVY + TAIL];
    static const int wobble[] = {-60, 80, -20, 50, -90, 40, 0};
    struct diff_snapshot snapshots[2][RUNS];
    struct diff_side sides[2];
    struct diff_options options = DIFF_OPTIONS_DEFAULT;

    for (size_t side = 0; side < 2; side++) {
        for (size_t run = 0; run < RUNS; run++) {
            struct diff_hits *rows = hits[side][run];
            for (size_t i = 0; i < heavy; i++)
                rows[i].hits = 10000 + (uint64_t)(100 + wobble[(i + 2 * run + 3 * side) % 7]);
            if (heavy && side)
                rows[0].hits += 1000;
            for (size_t i = 0; i < TAIL; i++)
                rows[heavy + i] = tail_row(i, run + side);
            snapshots[side][run] = (struct diff_snapshot){.rows = rows, .dropped = 30000};
        }
        sides[side] = (struct diff_side){.snapshots = snapshots[side], .count = RUNS};
    }
    assert_int_equal(diff_make(&sides[0], &sides[1], heavy + TAIL, &options, d), DIFF_OK);
}

/* Rows that come and go in a full table say nothing of what runs differ by. */
static void test_churn(void **state)
{
    struct diff d;

    compare_churned(HEAVY, &d);
    assert_true(d.noise < 0.01);
    assert_true(d.rows[0].significant);
    for (size_t i = 1; i < d.count; i++)
        assert_false(d.rows[i].significant);
    diff_free(&d);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_run),        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_idle),           cmocka_unit_test(test_unequal),
        cmocka_unit_test(test_losses_of_runs), cmocka_unit_test(test_losses_and_noise),
        cmocka_unit_test(test_camps),          cmocka_unit_test(test_churn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
