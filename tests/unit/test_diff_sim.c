/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a diff is right: simulated runs with known changes (docs/statistics.md, "Measured").
 * Short counts have wider limits; MPROF_SOAK=1 takes 2,000 trials each. */
#include <math.h>

#include "unit.h"

#include <profile/gate.h>

#include "counted.h"
#include "diff_sim.h"

static struct sim sim;
static size_t all_trials; /* of all tests */

static size_t trials(size_t few)
{
    size_t count = getenv("MPROF_SOAK") != NULL ? 2000 : few;

    all_trials += count;
    return count;
}

static void start_sim(uint64_t seed)
{
    sim = (struct sim){.random = seed, .snapshots = 1, .options = DIFF_OPTIONS_DEFAULT};
}

/* 5 to 300 rows, uniform or Zipf 0.8 to 1.5, 10,000 to 1,000,000 hits. */
static void any_profile(size_t least_rows)
{
    double zipf = sim_between(&sim, 0, 3) == 0 ? 0 : 0.8 + 0.7 * sim_uniform(&sim);
    double size = exp(log((double)least_rows) + sim_uniform(&sim) * log(300 / (double)least_rows));

    sim_profile(&sim, (size_t)round(size), zipf);
    sim.total = (uint64_t)(10000 * pow(100, sim_uniform(&sim)));
}

static void trial(struct tally *t)
{
    struct diff d;

    sim_run(&sim, &d);
    tally_add(t, &sim, &d);
    diff_free(&d);
}

static void test_same(void **state)
{
    struct tally t = {0};

    start_sim(1);
    for (size_t n = trials(50); n > 0; n--) {
        any_profile(5);
        trial(&t);
    }
    tally_holds("same firmware", &t, 0);
    assert_true(tally_part(t.covered, t.intervals) >= 0.94);
}

/* One row of 20 % that became 5 % slower; the profile is as large as size says. */
static void one_slower(struct tally *t, size_t size, double zipf)
{
    sim_profile(&sim, size, zipf);
    size_t row = sim_between(&sim, 0, size - 1);
    sim_share(&sim, row, 0.2);
    sim.newer[row] *= 1.05;
    sim.total = 100000;
    trial(t);
}

/* One sort of profile is held to what is promised but for chance; all of them together strictly. */
static void one_slower_of(struct tally *all, size_t size, double zipf)
{
    struct tally t = {0};
    char name[64];

    for (size_t n = trials(25); n > 0; n--)
        one_slower(&t, size, zipf);
    snprintf(name, sizeof(name), "20 %% row 5 %% slower, %zu rows %.1f", size, zipf);
    tally_show(name, &t);
    assert_true(tally_part(t.found, t.changed) >= 0.95 - tally_chance(t.trials, 0.05));
    assert_true(tally_part(t.false_trials, t.trials) <= 0.05 + tally_chance(t.trials, 0.05));
    assert_int_equal(t.wrong_way, 0);
    all->trials += t.trials;
    all->changed += t.changed;
    all->found += t.found;
    all->false_trials += t.false_trials;
}

static void test_one_slower(void **state)
{
    static const size_t sizes[] = {5, 12, 30, 100, 300};
    static const double zipfs[] = {0, 0.8, 1.5};
    struct tally all = {0};

    start_sim(2);
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t k = 0; k < COUNT(zipfs); k++)
            one_slower_of(&all, sizes[i], zipfs[k]);
    printf("all of these: found %.2f %%, trials with a false row %.2f %%\n",
           100 * tally_part(all.found, all.changed),
           100 * tally_part(all.false_trials, all.trials));
    double short_of = getenv("MPROF_SOAK") != NULL ? 0 : tally_chance(all.trials, 0.05);
    assert_true(tally_part(all.found, all.changed) >= 0.95 - short_of);
    tally_few_false(&all);
}

/* A test of two shares, as if other rows could not move them. */
static bool raw_shares_differ(const struct diff *d, size_t row)
{
    double a = (double)d->rows[row].base_hits, b = (double)d->rows[row].new_hits;
    double n = (double)d->base_hits, m = (double)d->new_hits, q = (a + b) / (n + m);

    return fabs(b / m - a / n) > 1.959963984540054 * sqrt(q * (1 - q) * (1 / n + 1 / m));
}

/* What the tests are for: a row of 50 % that nobody touched, next to one of 20 % that became
 * slower. Its share falls, and a test of shares calls that significant. */
static void test_raw_shares_mislead(void **state)
{
    struct tally t = {0};
    size_t misled = 0;

    start_sim(3);
    for (size_t n = trials(40); n > 0; n--) {
        struct diff d;
        sim_profile(&sim, sim_between(&sim, 5, 300), 1);
        sim.base[0] = 0;
        sim_share(&sim, 1, 0.4); /* of the half that row 0 leaves */
        sim_share(&sim, 0, 0.5);
        sim.newer[1] *= 1.1;
        sim.total = 100000;
        sim_run(&sim, &d);
        misled += raw_shares_differ(&d, 0);
        tally_add(&t, &sim, &d);
        diff_free(&d);
    }
    tally_show("50 % row next to a slower one", &t);
    printf("a test of raw shares calls the 50 %% row changed in %.1f %%\n",
           100 * tally_part(misled, t.trials));
    assert_true(tally_part(misled, t.trials) >= 0.95);
    tally_few_false(&t);
    assert_true(tally_part(t.found, t.changed) >= 0.95);
}

/* Three snapshots a side that differ by 1 to 3 %, each row by its own. */
static void set_noise(double least, double most)
{
    double common = least + (most - least) * sim_uniform(&sim);
    bool alike = sim_between(&sim, 0, 1) == 0;

    sim.snapshots = 3;
    for (size_t i = 0; i < sim.count; i++)
        sim.noise[i] = alike ? common : least + (most - least) * sim_uniform(&sim);
}

static void noisy(const char *name, double least, double most)
{
    struct tally t = {0};

    for (size_t n = trials(50); n > 0; n--) {
        any_profile(5);
        set_noise(least, most);
        trial(&t);
    }
    tally_holds(name, &t, 0);
}

static void test_noise(void **state)
{
    start_sim(4);
    noisy("3 a side, no noise", 0, 0);
    noisy("3 a side, noise 1 to 3 %", 0.01, 0.03);
    noisy("3 a side, noise 10 to 17 %", 0.1, 0.17);
}

static void test_noise_unknown(void **state)
{
    struct tally t = {0};

    start_sim(5);
    for (size_t n = trials(40); n > 0; n--) {
        any_profile(5);
        set_noise(0.01, 0.03);
        sim.snapshots = 1;
        sim.options.noise = DIFF_NOISE_UNKNOWN;
        trial(&t);
    }
    tally_show("noise 1 to 3 %, one a side", &t);
    struct tally told = {0};
    for (size_t n = trials(40); n > 0; n--) {
        any_profile(5);
        set_noise(0.02, 0.02);
        sim.snapshots = 1;
        sim.options.noise = 0.02;
        trial(&told);
    }
    tally_holds("noise 2 %, one a side, told", &told, 0);
}

static void test_one_slower_with_noise(void **state)
{
    struct tally t = {0};

    start_sim(6);
    for (size_t n = trials(50); n > 0; n--) {
        any_profile(5);
        sim_share(&sim, 0, 0.2);
        set_noise(0.01, 0.03);
        sim.newer[0] *= 1.2;
        sim.total = 100000;
        trial(&t);
    }
    tally_holds("20 % row 20 % slower, noise", &t, 0.9);
}

/* A row that has more hits than all others does not carry the median with it. */
static void test_large_row(void **state)
{
    struct tally t = {0};

    start_sim(10);
    for (size_t n = trials(40); n > 0; n--) {
        sim_profile(&sim, sim_between(&sim, 10, 100), 0.8);
        sim_share(&sim, 0, 0.6);
        sim.newer[0] *= 1.1;
        sim.total = 100000;
        trial(&t);
    }
    tally_holds("60 % row 10 % slower", &t, 0.95);
}

/* A tenth of the rows changes, each by 10 to 50 %, up or down. */
static void test_several(void **state)
{
    struct tally t = {0};

    start_sim(7);
    for (size_t n = trials(40); n > 0; n--) {
        any_profile(20);
        for (size_t i = 0; i < sim.count; i += 10) {
            double factor = 1.1 + 0.4 * sim_uniform(&sim);
            sim.newer[i] *= sim_between(&sim, 0, 1) == 0 ? factor : 1 / factor;
        }
        trial(&t);
    }
    tally_holds("10 % of rows by 10 to 50 %", &t, 0);
    assert_true(t.untrue_part / (double)t.trials <= tally_most_false(t.trials));
}

/* A row of 10 % of the base vanishes, or one comes that takes 10 % of the new run. */
static void appears(bool is_new, const char *name)
{
    struct tally t = {0};

    start_sim(8);
    for (size_t n = trials(40); n > 0; n--) {
        any_profile(5);
        sim_share(&sim, 0, 0.1);
        (is_new ? sim.base : sim.newer)[0] = 0;
        trial(&t);
    }
    tally_holds(name, &t, 1);
}

static void test_new_and_gone(void **state)
{
    appears(false, "a row of 10 % vanishes");
    appears(true, "a new row takes 10 %");
}

/* Half of the rows became 3 % slower: or the other half faster, which shares cannot tell. What can
 * be had is that the two are told apart, and that the doubt is said. */
static void test_half_slower(void **state)
{
    struct tally t = {0};
    size_t apart = 0, said = 0;

    start_sim(9);
    for (size_t n = trials(40); n > 0; n--) {
        struct diff d;
        size_t flagged = t.flagged;
        sim_profile(&sim, 20, 0);
        sim.total = 1000000;
        for (size_t i = 0; i < sim.count; i += 2)
            sim.newer[i] *= 1.03;
        sim_run(&sim, &d);
        tally_add(&t, &sim, &d);
        bool one = d.contested && fabs(d.rival / 1.03 - 1) < 0.01;
        bool other = d.contested && fabs(d.rival * 1.03 - 1) < 0.01;
        apart += one || other;
        said += d.contested || d.uneven || t.flagged == flagged;
        diff_free(&d);
    }
    tally_show("half of the rows 3 % slower", &t);
    assert_true(tally_part(said, t.trials) >= 0.9);
    printf("doubt was said in %.1f %%, with the right ratio between the halves in %.1f %%\n",
           100 * tally_part(said, t.trials), 100 * tally_part(apart, t.trials));
}

/* More rows that changed together than any other search looks at, and hotter ones than the rest:
 * the others are still most, and hold most of the hits. */
static void together(size_t rows, size_t changed, double factor, uint64_t total)
{
    struct tally t = {0};
    char name[64];

    for (size_t n = trials(rows < 500 ? 16 : 4); n > 0; n--) {
        sim_profile(&sim, rows, 0);
        sim.total = total;
        for (size_t i = 0; i < changed; i++) {
            sim.base[i] *= 1.1;
            sim.newer[i] = sim.base[i] * factor;
        }
        trial(&t);
    }
    snprintf(name, sizeof(name), "%zu of %zu rows by %+.0f %%", changed, rows, 100 * (factor - 1));
    tally_holds(name, &t, 0.95);
    assert_int_equal(t.wrong_way, 0);
}

static void test_many_together(void **state)
{
    start_sim(11);
    together(200, 49, 2, 1000000);
    together(300, 60, 1.1, 6000000);
    together(300, 100, 1.3, 1500000);
    together(300, 60, 1 / 1.1, 6000000);
    together(1000, 50, 1.5, 5000000);
    together(1000, 200, 2, 5000000);
}

/* Every row is exactly at its budget: none may be said to be above. */
static void test_budgets(void **state)
{
    size_t above = 0, count = trials(50);

    start_sim(12);
    for (size_t n = count; n > 0; n--) {
        struct diff d;
        bool tripped = false;
        double low, high, all = 0;
        sim_profile(&sim, 20, 0.5);
        set_noise(0.03, 0.03);
        sim.total = 100000;
        sim_run(&sim, &d);
        for (size_t i = 0; i < sim.count; i++)
            all += sim.newer[i];
        for (size_t i = 0; i < sim.count; i++)
            tripped |= gate_budget(&d.rows[i], sim.newer[i] / all, sim.count, &low, &high) ==
                       GATE_EXCEEDED;
        above += tripped;
        diff_free(&d);
    }
    printf("20 rows at their budgets, noise 3 %%, 3 a side: gate trips in %.1f %%\n",
           100 * tally_part(above, count));
    assert_true(tally_part(above, count) <= 0.025 + tally_chance(count, 0.025));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_same),
    cmocka_unit_test(test_one_slower),
    cmocka_unit_test(test_raw_shares_mislead),
    cmocka_unit_test(test_noise),
    cmocka_unit_test(test_noise_unknown),
    cmocka_unit_test(test_one_slower_with_noise),
    cmocka_unit_test(test_large_row),
    cmocka_unit_test(test_several),
    cmocka_unit_test(test_new_and_gone),
    cmocka_unit_test(test_half_slower),
    cmocka_unit_test(test_many_together),
    cmocka_unit_test(test_budgets),
};

int main(void)
{
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, all_trials, "trials");
}
