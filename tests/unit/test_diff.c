/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff's states and refusals, and gates. */
#include <math.h>

#include "unit.h"

#include <profile/diff.h>
#include <profile/gate.h>

#define ROWS 6

/* One snapshot a side, rows of hits. */
struct pair {
    struct diff_hits hits[2][ROWS];
    struct diff_snapshot snapshots[2];
    struct diff_side sides[2];
    struct diff_options options;
};

static void make_pair(struct pair *pair, const uint64_t base[ROWS], const uint64_t newer[ROWS])
{
    *pair = (struct pair){.options = DIFF_OPTIONS_DEFAULT};
    pair->options.noise = 0; /* runs differ by counting alone */
    for (size_t i = 0; i < ROWS; i++) {
        pair->hits[0][i].hits = base[i];
        pair->hits[1][i].hits = newer[i];
    }
    for (int side = 0; side < 2; side++) {
        pair->snapshots[side].rows = pair->hits[side];
        pair->sides[side] = (struct diff_side){.snapshots = &pair->snapshots[side], .count = 1};
    }
}

static enum diff_code compare(const struct pair *pair, struct diff *out)
{
    return diff_make(&pair->sides[0], &pair->sides[1], ROWS, &pair->options, out);
}

static struct diff diff_of(const struct pair *pair)
{
    struct diff d;

    assert_int_equal(compare(pair, &d), DIFF_OK);
    return d;
}

static struct diff diff_between(struct pair *pair, const uint64_t base[ROWS],
                                const uint64_t newer[ROWS])
{
    make_pair(pair, base, newer);
    return diff_of(pair);
}

static const uint64_t plain[ROWS] = {40000, 20000, 20000, 10000, 9900, 100};

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
        assert_near(a->new_low, b->new_low, 1e-9);
        assert_near(a->new_high, b->new_high, 1e-9);
        assert_near(a->change_low, b->change_low, 1e-6);
        assert_near(a->change_high, b->change_high, 1e-6);
    }
    diff_free(&results[0]);
    diff_free(&results[1]);
}

#define SIDE 3

/* Runs of rows that differ a little, by the same on both sides; what one row has in new is
 * multiplied by changed. */
struct runs {
    struct diff_hits hits[2 * SIDE][ROWS];
    struct diff_snapshot snapshots[2 * SIDE];
    struct diff_side sides[2];
    struct diff_options options;
};

static void make_runs(struct runs *r, double changed)
{
    static const int wobble[] = {-6, 8, -2, 5, -9, 4, 0};

    *r = (struct runs){.options = DIFF_OPTIONS_DEFAULT};
    for (size_t k = 0; k < 2 * SIDE; k++) {
        for (size_t i = 0; i < ROWS; i++) {
            double hits = (double)plain[i] * (1 + 0.001 * wobble[(i + 2 * (k % SIDE)) % 7]);
            r->hits[k][i].hits = (uint64_t)(hits * (i == 1 && k >= SIDE ? changed : 1));
        }
        r->snapshots[k] = (struct diff_snapshot){
            .rows = r->hits[k], .sample_hz = 1000, .duration_s = 100, .idle = 0.1};
    }
    r->sides[0] = (struct diff_side){.snapshots = r->snapshots, .count = SIDE};
    r->sides[1] = (struct diff_side){.snapshots = r->snapshots + SIDE, .count = SIDE};
}

static struct diff diff_of_runs(const struct runs *r)
{
    struct diff d;

    assert_int_equal(diff_make(&r->sides[0], &r->sides[1], ROWS, &r->options, &d), DIFF_OK);
    return d;
}

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
    assert_near(row->new_low, low, 1e-12);
    assert_near(row->new_high, high, 1e-12);
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
        cmocka_unit_test(test_itself),
        cmocka_unit_test(test_normalised),
        cmocka_unit_test(test_per_function_and_second),
        cmocka_unit_test(test_width_of_one_run),
        cmocka_unit_test(test_new_gone_empty),
        cmocka_unit_test(test_more_than_all_of_base),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_exact_calls),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_dust),
        cmocka_unit_test(test_one_run),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_unequal),
        cmocka_unit_test(test_losses_of_runs),
        cmocka_unit_test(test_losses_and_noise),
        cmocka_unit_test(test_camps),
        cmocka_unit_test(test_gate),
        cmocka_unit_test(test_churn),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
