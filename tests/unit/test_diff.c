/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff of one run a side that differ by counting: states, references, losses, refusals. */
#include <math.h>

#include "unit.h"

#include "diff_checks.h"

static void test_itself(void **state)
{
    struct pair pair;
    struct diff d = diff_between(&pair, plain, plain);
    for (size_t i = 0; i < ROWS; i++) {
        const struct diff_row *row = &d.rows[i];
        assert_near(row->ratio, 1, 1e-9);
        assert_near(row->change, 0, 1e-9);
        assert_true(row->p >= 0.999 && row->adjusted >= 0.999);
        assert_true(row->ratio_low < 1 && row->ratio_high > 1);
        assert_true(row->change_low < 0 && row->change_high > 0);
        assert_false(row->significant);
        assert_int_equal(row->direction, 0);
    }
    assert_near(d.support, 1, 1e-6);
    assert_false(d.contested);
    diff_free(&d);
}

/* Row 1 takes twice the time, with as many hits in all: every other share falls by a sixth. */
static void test_normalised(void **state)
{
    const uint64_t slower[ROWS] = {33333, 33333, 16667, 8333, 8251, 83};
    struct pair pair;
    struct diff d = diff_between(&pair, plain, slower);
    assert_near(d.rows[1].ratio, 2, 0.01);
    assert_near(d.rows[1].change, 0.2, 0.002);
    assert_near(d.rows[1].share_change, 0.1333, 0.001);
    assert_true(d.rows[1].significant && d.rows[1].direction == 1);
    assert_near(d.rows[0].ratio, 1, 0.01);
    assert_near(d.rows[0].share_change, -0.0667, 0.001);
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(d.rows[i].significant, i == 1);
    assert_near(d.scale, 5.0 / 6, 0.005);
    assert_near(d.support, 0.8, 0.01);
    diff_free(&d);
}

static void test_per_function_and_second(void **state)
{
    const uint64_t slower[ROWS] = {40000, 22000, 20000, 10000, 9900, 100};
    struct pair pair;

    make_pair(&pair, plain, slower);
    pair.options.per = DIFF_PER_FUNCTION;
    pair.options.reference = 1;
    struct diff d = diff_of(&pair);
    assert_true(isnan(d.rows[1].p));
    assert_near(d.rows[1].ratio, 1, 1e-9);
    assert_near(d.rows[0].ratio, 1 / 1.1, 1e-9);
    assert_int_equal(d.rows[0].direction, -1);
    diff_free(&d);

    pair.options.per = DIFF_PER_SECOND;
    assert_int_equal(compare(&pair, &d), DIFF_ETIME);
    for (int side = 0; side < 2; side++) {
        pair.snapshots[side].sample_hz = 1000;
        pair.snapshots[side].duration_s = side == 0 ? 100 : 200;
    }
    d = diff_of(&pair);
    assert_near(d.rows[0].ratio, 0.5, 1e-9);
    assert_near(d.rows[1].ratio, 0.55, 1e-9);
    assert_true(d.rows[0].significant);
    diff_free(&d);
}

/* Half of the width of the interval of a row's ratio, of its logarithm, over what counting of both
 * sides would make it. */
static double width_of(const struct diff *d, const struct pair *pair, size_t row)
{
    double hits = (double)pair->hits[0][row].hits;

    return log(d->rows[row].ratio_high / d->rows[row].ratio_low) / 2 / (1.96 * sqrt(2 / hits));
}

/* With one run a side, per second: samples of a large row vary less than by counting, and samples
 * that wander vary more. */
static void test_width_of_one_run(void **state)
{
    struct pair pair;

    make_pair(&pair, plain, plain);
    pair.options.per = DIFF_PER_SECOND;
    for (int side = 0; side < 2; side++) {
        pair.snapshots[side].sample_hz = 1000;
        pair.snapshots[side].duration_s = 100;
        pair.hits[side][1].spread = 5;
    }
    struct diff d = diff_of(&pair);
    assert_near(width_of(&d, &pair, 0), sqrt(0.6), 0.01);
    assert_near(width_of(&d, &pair, 1), sqrt(5 * 0.8), 0.02);
    assert_near(width_of(&d, &pair, 2), sqrt(0.8), 0.01);
    diff_free(&d);
}

static void test_new_gone_empty(void **state)
{
    const uint64_t base[ROWS] = {50000, 30000, 5000, 0, 0, 3};
    const uint64_t newer[ROWS] = {50000, 30000, 0, 5000, 0, 0};
    struct pair pair;
    struct diff d = diff_between(&pair, base, newer);
    assert_int_equal(d.rows[2].state, DIFF_GONE);
    assert_true(d.rows[2].significant && d.rows[2].direction == -1);
    assert_near(d.rows[2].ratio, 0, 0);
    assert_true(d.rows[2].ratio_high < 0.01);
    assert_near(d.rows[2].change, -0.0588, 1e-3);
    assert_int_equal(d.rows[3].state, DIFF_NEW);
    assert_true(d.rows[3].significant && isinf(d.rows[3].ratio) && isinf(d.rows[3].ratio_high));
    assert_true(d.rows[3].ratio_low > 100);
    assert_true(d.rows[3].change_high < 0.07 && d.rows[3].change_low > 0.05);
    assert_int_equal(d.rows[4].state, DIFF_EMPTY);
    assert_true(isnan(d.rows[4].p) && isnan(d.rows[4].ratio));
    /* Three hits that vanish are nothing yet: mid-p of 0 out of 3. */
    assert_near(d.rows[5].p, 0.125, 1e-3);
    assert_false(d.rows[5].significant);
    diff_free(&d);
}

/* A change is measured in what the base took in all, so it has no upper limit: a new row that takes
 * as long as two runs of the base adds 200 percentage points. */
static void test_more_than_all_of_base(void **state)
{
    const uint64_t base[ROWS] = {50000, 30000, 20000, 0, 0, 0};
    const uint64_t newer[ROWS] = {50000, 30000, 20000, 200000, 0, 0};
    struct pair pair;
    struct diff d = diff_between(&pair, base, newer);
    assert_near(d.rows[3].change, 2, 1e-9);
    assert_true(d.rows[3].change_low > 1.95 && d.rows[3].change_high < 2.05);
    assert_near(d.rows[3].new_share, 2.0 / 3, 1e-9);
    diff_free(&d);
}

/* What may have been dropped or taken over is no change. */
static void test_losses(void **state)
{
    const uint64_t newer[ROWS] = {40000, 20000, 20000, 10300, 9900, 400};
    struct pair pair;
    struct diff d = diff_between(&pair, plain, newer);
    assert_true(d.rows[5].significant);
    diff_free(&d);
    pair.hits[1][5].inherited = 280;
    pair.snapshots[1].dropped = 1000;
    d = diff_of(&pair);
    assert_false(d.rows[5].significant);
    assert_true(d.rows[5].ratio_low < 1.3 && d.rows[5].ratio_high > 9);
    diff_free(&d);

    /* A row that is missing while as many hits were lost may be among them. */
    pair.hits[1][5] = (struct diff_hits){.hits = 0};
    d = diff_of(&pair);
    assert_false(d.rows[5].significant);
    diff_free(&d);
    pair.snapshots[1].dropped = 0;
    d = diff_of(&pair);
    assert_true(d.rows[5].significant);
    diff_free(&d);
}

static void test_exact_calls(void **state)
{
    const uint64_t newer[ROWS] = {40000, 20001, 20000, 10000, 10900, 100};
    struct pair pair;

    make_pair(&pair, plain, newer);
    pair.options.exact = true;
    pair.options.noise = DIFF_NOISE_UNKNOWN;
    struct diff d = diff_of(&pair);
    assert_true(isnan(d.rows[4].p) && isnan(d.noise));
    assert_false(d.rows[4].significant);
    assert_near(d.rows[4].ratio_low, d.rows[4].ratio, 1e-9);
    diff_free(&d);

    pair.options.noise = 0.01;
    d = diff_of(&pair);
    assert_true(d.rows[4].significant);
    assert_false(d.rows[1].significant);
    diff_free(&d);
    pair.options.noise = 0.1;
    d = diff_of(&pair);
    assert_false(d.rows[4].significant);
    diff_free(&d);
}

static void test_refusals(void **state)
{
    const uint64_t none[ROWS] = {0};
    struct pair pair;
    struct diff d = {.count = 77};

    make_pair(&pair, plain, none);
    assert_int_equal(compare(&pair, &d), DIFF_EEMPTY);
    make_pair(&pair, plain, plain);
    pair.hits[1][2].hits = 0;
    pair.options.per = DIFF_PER_FUNCTION;
    pair.options.reference = 2;
    assert_int_equal(compare(&pair, &d), DIFF_EREFERENCE);
    pair.options.reference = ROWS;
    assert_int_equal(compare(&pair, &d), DIFF_EREFERENCE);
    assert_int_equal(d.count, 77);
}

/* A row of most hits beside another one and dust: what nearly all rows have next to nothing of is
 * not what the row is measured by, nor is it taken for a change that one side was counted longer.
 */
static void test_dust(void **state)
{
    enum { DUST = 50 };
    static struct diff_hits hits[2][2 + DUST];
    struct diff_snapshot snapshots[2] = {{.rows = hits[0]}, {.rows = hits[1]}};
    struct diff_side sides[2] = {{.snapshots = &snapshots[0], .count = 1},
                                 {.snapshots = &snapshots[1], .count = 1}};
    struct diff_options options = DIFF_OPTIONS_DEFAULT;
    struct diff d;

    options.noise = 0;
    hits[0][0].hits = 1748, hits[1][0].hits = 52;
    hits[0][1].hits = 232, hits[1][1].hits = 7;
    for (size_t i = 0; i < DUST; i++) {
        hits[0][2 + i].hits = i % 4;
        hits[1][2 + i].hits = i == 5 || i == 8;
    }
    assert_int_equal(diff_make(&sides[0], &sides[1], 2 + DUST, &options, &d), DIFF_OK);
    assert_near(d.rows[0].ratio, 1, 0.15);
    assert_true(d.rows[0].ratio_low > 0.4 && d.rows[0].ratio_high < 3);
    assert_near(d.rows[1].ratio, 1, 0.15);
    assert_false(d.rows[0].significant || d.rows[1].significant);
    diff_free(&d);
}

/* One row alone has nothing to be compared with. */
static void test_alone(void **state)
{
    const uint64_t base[ROWS] = {1000}, newer[ROWS] = {3000};
    struct pair pair;
    struct diff d = diff_between(&pair, base, newer);
    assert_false(d.rows[0].significant);
    assert_true(isnan(d.rows[0].ratio));
    diff_free(&d);
}

/* Rows differ in what is known of their noise, so in how far their intervals reach: the order in
 * which they come makes no difference. */
static void test_order(void **state)
{
    static const uint64_t seen[4][ROWS] = {{40000, 20000, 3, 10000, 9900, 40},
                                           {42000, 19000, 4, 10800, 9300, 31},
                                           {39000, 21500, 2, 9700, 9990, 50},
                                           {41300, 19900, 3, 10100, 9000, 44}};
    struct diff results[2];

    for (size_t turned = 0; turned < 2; turned++) {
        struct diff_hits hits[4][ROWS] = {0};
        struct diff_snapshot snapshots[4] = {0};
        const struct diff_options options = DIFF_OPTIONS_DEFAULT;
        for (size_t k = 0; k < 4; k++) {
            snapshots[k].rows = hits[k];
            for (size_t i = 0; i < ROWS; i++)
                hits[k][i].hits = seen[k][turned ? ROWS - 1 - i : i];
        }
        const struct diff_side sides[2] = {{snapshots, 2}, {snapshots + 2, 2}};
        assert_int_equal(diff_make(&sides[0], &sides[1], ROWS, &options, &results[turned]),
                         DIFF_OK);
    }
    for (size_t i = 0; i < ROWS; i++) {
        const struct diff_row *a = &results[0].rows[i], *b = &results[1].rows[ROWS - 1 - i];
        assert_near(a->change_low, b->change_low, 1e-6);
        assert_near(a->change_high, b->change_high, 1e-6);
    }
    diff_free(&results[0]);
    diff_free(&results[1]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_itself),
        cmocka_unit_test(test_normalised),
        cmocka_unit_test(test_per_function_and_second),
        cmocka_unit_test(test_width_of_one_run),
        cmocka_unit_test(test_new_gone_empty),
        cmocka_unit_test(test_more_than_all_of_base),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_exact_calls),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_dust),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
