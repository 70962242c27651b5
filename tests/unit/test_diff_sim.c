/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a diff is right: simulated runs with known changes (docs/statistics.md, "Measured").
 * Short counts have wider limits; MPROF_SOAK=1 takes 2,000 trials each. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

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
    size_t contested;
};

static struct sim sim;

static size_t trials(size_t few)
{
    return getenv("MPROF_SOAK") != NULL ? 2000 : few;
}

/* The most that a rate of 5 % may give in a short run: three standard deviations above it. */
static double limit(size_t count, double rate, double full)
{
    return getenv("MPROF_SOAK") != NULL ? full : rate + 3 * sqrt(rate * (1 - rate) / (double)count);
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
           "%4.1f %%, covered %5.2f %%, contested %4.1f %%, wrong way %zu\n",
           what, t->trials, 100 * part(t->found, t->changed),
           100 * part(t->false_trials, t->trials), 100 * t->untrue_part / (double)t->trials,
           100 * part(t->covered, t->intervals), 100 * part(t->contested, t->trials), t->wrong_way);
}

static void assert_few_false(const struct tally *t)
{
    if (getenv("TUNE") && part(t->false_trials, t->trials) > 0.06)
        printf("  FALSE\n");
    else
    assert_true(part(t->false_trials, t->trials) <= limit(t->trials, 0.05, 0.06));
}

static void test_same(void **state)
{
    struct tally t = {0};

    (void)state;
    begin(1);
    for (size_t n = trials(300); n > 0; n--) {
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

static void one_slower_of(const char *name, size_t size, double zipf)
{
    struct tally t = {0};

    for (size_t n = trials(150); n > 0; n--)
        one_slower(&t, size, zipf);
    show(name, &t);
    if (part(t.found, t.changed) < 0.95 - (limit(t.trials, 0.05, 0.05) - 0.05))
        printf("  MISSED\n");
    assert_few_false(&t);
    assert_int_equal(t.wrong_way, 0);
}

static void test_one_slower(void **state)
{
    static const size_t sizes[] = {5, 12, 30, 100, 300};
    static const double zipfs[] = {0, 0.8, 1.5};
    char name[64];

    (void)state;
    begin(2);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (size_t k = 0; k < sizeof(zipfs) / sizeof(zipfs[0]); k++) {
            snprintf(name, sizeof(name), "20 %% row 5 %% slower, %zu rows %.1f", sizes[i],
                     zipfs[k]);
            one_slower_of(name, sizes[i], zipfs[k]);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_same),
    cmocka_unit_test(test_one_slower),
};

int main(void)
{
    return cmocka_run_group_tests(tests, NULL, NULL);
}
