/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a diff is right: simulated runs with known changes (docs/statistics.md, "Measured").
 * Short counts have wider limits; MPROF_SOAK=1 takes 2,000 trials each. */
#include <math.h>

#include "unit.h"

#include <profile/gate.h>

#include "counted.h"
#include "diff_sim.h"

/* Parts of the trials, counted over all that a scenario asks for. */
struct tally {
    size_t trials;
    size_t changed, found;     /* rows that changed, and those of them that were called so */
    size_t all_found;          /* trials in which all of them were */
    size_t false_trials;       /* trials in which a row that did not change was called changed */
    size_t wrong_way;          /* called changed in the direction that is not its own */
    size_t flagged, untrue;    /* rows called changed, those that had not */
    double untrue_part;        /* sum over trials of untrue / flagged */
    size_t covered, intervals; /* rows whose interval holds their true ratio */
    size_t contested, uneven;
};

static struct sim sim;
static size_t all_trials; /* of all tests */

static size_t trials(size_t few)
{
    size_t count = getenv("MPROF_SOAK") != NULL ? 2000 : few;

    all_trials += count;
    return count;
}

/* Three standard deviations of a rate that was counted in so many trials. */
static double chance(size_t count, double rate)
{
    return 3 * sqrt(rate * (1 - rate) / (double)count);
}

/* The most that is let pass where 6 % are promised and 5 % are meant. */
static double most_false(size_t count)
{
    return getenv("MPROF_SOAK") != NULL ? 0.06 : 0.05 + chance(count, 0.05);
}

static void begin(uint64_t seed)
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

static void add(struct tally *t, const struct diff *d)
{
    size_t changed = 0, found = 0, untrue = 0, flagged = 0;

    for (size_t i = 0; i < d->count; i++) {
        const struct diff_row *row = &d->rows[i];
        bool moved = fabs(sim.newer[i] - sim.base[i]) > 1e-12 * sim.base[i];
        double truth = sim.newer[i] / sim.base[i];
        changed += moved;
        flagged += row->significant;
        found += moved && row->significant;
        untrue += !moved && row->significant;
        t->wrong_way +=
            moved && row->significant && row->direction != (sim.newer[i] > sim.base[i] ? 1 : -1);
        if (row->state == DIFF_EMPTY)
            continue;
        t->intervals++;
        t->covered += row->ratio_low <= truth && truth <= row->ratio_high;
    }
    t->trials++;
    t->changed += changed;
    t->found += found;
    t->all_found += found == changed;
    t->false_trials += untrue > 0;
    t->flagged += flagged;
    t->untrue += untrue;
    t->untrue_part += flagged > 0 ? (double)untrue / (double)flagged : 0;
    t->contested += d->contested;
    t->uneven += d->uneven;
}

static void trial(struct tally *t)
{
    struct diff d;

    sim_run(&sim, &d);
    add(t, &d);
    diff_free(&d);
}

static double part(size_t count, size_t all)
{
    return all > 0 ? (double)count / (double)all : 0;
}

static void show(const char *what, const struct tally *t)
{
    printf("%-34s %5zu trials: found %5.1f %%, trials with a false row %4.1f %%, false of flagged "
           "%4.1f %%, covered %5.2f %%, contested %4.1f %%, uneven %4.1f %%, wrong way %zu\n",
           what, t->trials, 100 * part(t->found, t->changed),
           100 * part(t->false_trials, t->trials), 100 * t->untrue_part / (double)t->trials,
           100 * part(t->covered, t->intervals), 100 * part(t->contested, t->trials),
           100 * part(t->uneven, t->trials), t->wrong_way);
}

static void assert_few_false(const struct tally *t)
{
    assert_true(part(t->false_trials, t->trials) <= most_false(t->trials));
}

static void test_same(void **state)
{
    struct tally t = {0};

    begin(1);
    for (size_t n = trials(50); n > 0; n--) {
        any_profile(5);
        trial(&t);
    }
    show("same firmware", &t);
    assert_few_false(&t);
    assert_true(part(t.covered, t.intervals) >= 0.94);
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
    show(name, &t);
    assert_true(part(t.found, t.changed) >= 0.95 - chance(t.trials, 0.05));
    assert_true(part(t.false_trials, t.trials) <= 0.05 + chance(t.trials, 0.05));
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

    begin(2);
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t k = 0; k < COUNT(zipfs); k++)
            one_slower_of(&all, sizes[i], zipfs[k]);
    printf("all of these: found %.2f %%, trials with a false row %.2f %%\n",
           100 * part(all.found, all.changed), 100 * part(all.false_trials, all.trials));
    double short_of = getenv("MPROF_SOAK") != NULL ? 0 : chance(all.trials, 0.05);
    assert_true(part(all.found, all.changed) >= 0.95 - short_of);
    assert_few_false(&all);
}

/* A test of two shares, as if other rows could not move them. */
static bool raw_shares_differ(const struct diff *d, size_t row)
{
    double a = (double)d->rows[row].base_hits, b = (double)d->rows[row].new_hits;
    double n = (double)d->base_hits, m = (double)d->new_hits, q = (a + b) / (n + m);

    return fabs(b / m - a / n) > 1.959963984540054 * sqrt(q * (1 - q) * (1 / n + 1 / m));
}

/* What the tests are for: a row of 50 % that nobody touched, beside one of 20 % that became slower.
 * Its share falls, and a test of shares calls that significant. */
static void test_raw_shares_mislead(void **state)
{
    struct tally t = {0};
    size_t misled = 0;

    begin(3);
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
        add(&t, &d);
        diff_free(&d);
    }
    show("50 % row beside a slower one", &t);
    printf("a test of raw shares calls the 50 %% row changed in %.1f %%\n",
           100 * part(misled, t.trials));
    assert_true(part(misled, t.trials) >= 0.95);
    assert_few_false(&t);
    assert_true(part(t.found, t.changed) >= 0.95);
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
    show(name, &t);
    assert_few_false(&t);
}

static void test_noise(void **state)
{
    begin(4);
    noisy("3 a side, no noise", 0, 0);
    noisy("3 a side, noise 1 to 3 %", 0.01, 0.03);
    noisy("3 a side, noise 10 to 17 %", 0.1, 0.17);
}

static void test_noise_unknown(void **state)
{
    struct tally t = {0};

    begin(5);
    for (size_t n = trials(40); n > 0; n--) {
        any_profile(5);
        set_noise(0.01, 0.03);
        sim.snapshots = 1;
        sim.options.noise = DIFF_NOISE_UNKNOWN;
        trial(&t);
    }
    show("noise 1 to 3 %, one a side", &t);
    struct tally told = {0};
    for (size_t n = trials(40); n > 0; n--) {
        any_profile(5);
        set_noise(0.02, 0.02);
        sim.snapshots = 1;
        sim.options.noise = 0.02;
        trial(&told);
    }
    show("noise 2 %, one a side, told", &told);
    assert_few_false(&told);
}

static void test_one_slower_with_noise(void **state)
{
    struct tally t = {0};

    begin(6);
    for (size_t n = trials(50); n > 0; n--) {
        any_profile(5);
        sim_share(&sim, 0, 0.2);
        set_noise(0.01, 0.03);
        sim.newer[0] *= 1.2;
        sim.total = 100000;
        trial(&t);
    }
    show("20 % row 20 % slower, noise", &t);
    assert_few_false(&t);
    assert_true(part(t.found, t.changed) >= 0.9);
}

/* A row that has more hits than all others does not carry the median with it. */
static void test_large_row(void **state)
{
    struct tally t = {0};

    begin(10);
    for (size_t n = trials(40); n > 0; n--) {
        sim_profile(&sim, sim_between(&sim, 10, 100), 0.8);
        sim_share(&sim, 0, 0.6);
        sim.newer[0] *= 1.1;
        sim.total = 100000;
        trial(&t);
    }
    show("60 % row 10 % slower", &t);
    assert_few_false(&t);
    assert_true(part(t.found, t.changed) >= 0.95);
}

/* A tenth of the rows changes, each by 10 to 50 %, up or down. */
static void test_several(void **state)
{
    struct tally t = {0};

    begin(7);
    for (size_t n = trials(40); n > 0; n--) {
        any_profile(20);
        for (size_t i = 0; i < sim.count; i += 10) {
            double factor = 1.1 + 0.4 * sim_uniform(&sim);
            sim.newer[i] *= sim_between(&sim, 0, 1) == 0 ? factor : 1 / factor;
        }
        trial(&t);
    }
    show("10 % of rows by 10 to 50 %", &t);
    assert_few_false(&t);
    assert_true(t.untrue_part / (double)t.trials <= most_false(t.trials));
}

/* A row of 10 % of the base vanishes, or one comes that takes 10 % of the new run. */
static void appears(bool is_new, const char *name)
{
    struct tally t = {0};

    begin(8);
    for (size_t n = trials(40); n > 0; n--) {
        any_profile(5);
        sim_share(&sim, 0, 0.1);
        (is_new ? sim.base : sim.newer)[0] = 0;
        trial(&t);
    }
    show(name, &t);
    assert_few_false(&t);
    assert_int_equal(t.found, t.changed);
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

    begin(9);
    for (size_t n = trials(40); n > 0; n--) {
        struct diff d;
        size_t flagged = t.flagged;
        sim_profile(&sim, 20, 0);
        sim.total = 1000000;
        for (size_t i = 0; i < sim.count; i += 2)
            sim.newer[i] *= 1.03;
        sim_run(&sim, &d);
        add(&t, &d);
        bool one = d.contested && fabs(d.rival / 1.03 - 1) < 0.01;
        bool other = d.contested && fabs(d.rival * 1.03 - 1) < 0.01;
        apart += one || other;
        said += d.contested || d.uneven || t.flagged == flagged;
        diff_free(&d);
    }
    show("half of the rows 3 % slower", &t);
    assert_true(part(said, t.trials) >= 0.9);
    printf("doubt was said in %.1f %%, with the right ratio between the halves in %.1f %%\n",
           100 * part(said, t.trials), 100 * part(apart, t.trials));
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
    show(name, &t);
    assert_few_false(&t);
    assert_int_equal(t.wrong_way, 0);
    assert_true(part(t.found, t.changed) >= 0.95);
}

static void test_many_together(void **state)
{
    begin(11);
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

    begin(12);
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
           100 * part(above, count));
    assert_true(part(above, count) <= 0.025 + chance(count, 0.025));
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
