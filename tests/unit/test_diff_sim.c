/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a diff is right: simulated runs with known changes (docs/statistics.md, "Measured").
 * make bench-diff prints the tables. Short counts have wider limits; MPROF_SOAK=1 takes 1,000
 * trials each. */
#include <math.h>

#include "unit.h"

#include <profile/gate.h>

#include "counted.h"
#include "diff_sim.h"
#include "sim_random.h"

static struct sim sim;
static size_t all_trials; /* of all tests */

static size_t trials(size_t few)
{
    size_t count = getenv("MPROF_SOAK") != NULL ? 1000 : (few + 3) / sanitized(4);

    all_trials += count;
    return count;
}

/* 30 functions and idle, 33 s at 1 kHz a run. */
static void start_sim(uint64_t seed, size_t runs)
{
    sim = (struct sim){
        .random = seed, .snapshots = runs, .total = 33333, .options = DIFF_OPTIONS_DEFAULT};
}

/* Row 0 is idle. */
static void use_profile(size_t rows, double idle)
{
    sim_profile(&sim, rows + 1, 0.9);
    if (idle > 0)
        sim_share(&sim, 0, idle);
    sim.idle = idle;
}

/* Noise of each row: least to most. */
static void set_noise(double least, double most)
{
    for (size_t i = 0; i < sim.count; i++)
        sim.noise[i] = least + (most - least) * random_uniform(&sim.random);
}

static void set_lognormal(double middle)
{
    for (size_t i = 0; i < sim.count; i++)
        sim.noise[i] = middle * exp(random_normal(&sim.random));
}

/* The first rows have much of it. */
static void set_unlike(size_t rows, double much, double little)
{
    for (size_t i = 0; i < sim.count; i++)
        sim.noise[i] = i >= 1 && i <= rows ? much : little;
}

static void no_noise(void)
{
}

static void alike(void)
{
    set_noise(0.03, 0.03);
}

static void unlike(void)
{
    set_unlike(3, 0.1, 0.003);
}

static void lognormal(void)
{
    set_lognormal(0.01);
}

static void five_together(void)
{
    sim.kind = SIM_TOGETHER;
    set_unlike(5, 0.05, 0);
}

static void all_together(void)
{
    sim.kind = SIM_TOGETHER;
    set_noise(0.05, 0.05);
}

static void heavy_tails(void)
{
    sim.kind = SIM_TAILS;
    set_noise(0.02, 0.02);
}

static void outliers(void)
{
    sim.kind = SIM_OUTLIERS;
}

static void trial(struct tally *t)
{
    struct diff d;

    sim_run(&sim, &d);
    tally_add(t, &sim, &d);
    diff_free(&d);
}

/* Equal firmware: how many diffs have any mark. */
static void test_nothing_changed(void **state)
{
    static const struct {
        const char *name;
        void (*set)(void);
        size_t rows;
    } kinds[] = {
        {"no noise", no_noise, 30},
        {"alike 3 %", alike, 30},
        {"unlike: 3 rows 10 %, others 0.3 %", unlike, 30},
        {"unlike: lognormal about 1 %", lognormal, 30},
        {"5 rows together 5 %", five_together, 30},
        {"all but idle together 5 %", all_together, 30},
        {"heavy tails", heavy_tails, 30},
        {"1 % of row-runs off by 25 %", outliers, 30},
        {"5 rows, lognormal", lognormal, 5},
        {"300 rows, lognormal", lognormal, 300},
    };
    char name[80];

    for (size_t runs = 2; runs <= 5; runs += runs == 2 ? 1 : 2) {
        for (size_t i = 0; i < COUNT(kinds); i++) {
            struct tally t = {0};
            start_sim(100 * runs + i, runs);
            for (size_t n = trials(runs == 2 ? 10 : 40); n > 0; n--) {
                sim.kind = SIM_EACH;
                use_profile(kinds[i].rows, 0.3);
                kinds[i].set();
                trial(&t);
            }
            snprintf(name, sizeof(name), "%zu v %zu, %s", runs, runs, kinds[i].name);
            tally_show(name, &t);
            assert_true(tally_part(t.false_trials, t.trials) <=
                        0.06 + tally_chance(t.trials, 0.05));
            assert_true(tally_part(t.covered, t.intervals) >= 0.94);
        }
    }
}

/* One row of a share that became slower. */
static struct tally one_slower(const char *what, size_t runs, double share, double change,
                               double noise, bool unlike_rows, size_t few)
{
    struct tally t = {0};
    char name[80];

    start_sim(7, runs);
    for (size_t n = trials(few); n > 0; n--) {
        use_profile(30, 0.3);
        sim_share(&sim, 1, share);
        set_noise(noise, noise);
        if (unlike_rows)
            set_lognormal(noise);
        sim.newer[1] *= 1 + change;
        trial(&t);
    }
    snprintf(name, sizeof(name), "%zu v %zu, %s, %.0f %% row %+.0f %%", runs, runs, what,
             100 * share, 100 * change);
    tally_show(name, &t);
    assert_int_equal(t.wrong_way, 0);
    return t;
}

static void test_found(void **state)
{
    struct tally t = one_slower("noise 2 %", 3, 0.2, 0.1, 0.02, false, 60);

    assert_true(tally_part(t.found, t.changed) >= 0.95 - tally_chance(t.trials, 0.05));
    t = one_slower("noise 2 %", 3, 0.05, 0.2, 0.02, false, 30);
    assert_true(tally_part(t.found, t.changed) >= 0.95 - tally_chance(t.trials, 0.05));
    (void)one_slower("noise 4 %", 3, 0.2, 0.1, 0.04, false, 10);
    (void)one_slower("noise 4 %", 3, 0.05, 0.2, 0.04, false, 10);
    t = one_slower("noise 4 %", 5, 0.2, 0.1, 0.04, false, 30);
    assert_true(tally_part(t.found, t.changed) >= 0.8 - tally_chance(t.trials, 0.2));
    (void)one_slower("noise 4 %", 5, 0.05, 0.2, 0.04, false, 10);
    t = one_slower("lognormal 1 %", 3, 0.2, 0.1, 0.01, true, 30);
    assert_true(tally_part(t.found, t.changed) >= 0.88 - tally_chance(t.trials, 0.1));
}

/* More, shorter runs: 30 s a side. */
static void test_more_runs(void **state)
{
    for (size_t runs = 2; runs <= 8; runs += runs < 6 ? 1 : 2) {
        struct tally t = {0};
        char name[80];
        start_sim(8, runs);
        sim.total = 30000 / runs;
        for (size_t n = trials(4); n > 0; n--) {
            use_profile(30, 0.3);
            sim_share(&sim, 1, 0.2);
            set_noise(0.03, 0.03);
            sim.newer[1] *= 1.1;
            trial(&t);
        }
        snprintf(name, sizeof(name), "30 s in %zu runs, 20 %% row +10 %%", runs);
        tally_show(name, &t);
    }
}

/* Firmware of several kinds, whose reference is chosen by what the runs show. */
struct firmware {
    const char *name;
    double idle, load;
    bool iterations;
    size_t changed; /* rows; SIM_ROWS: half of them */
    double factor;
    enum diff_per per;
    bool all_marked; /* the load changed, and only iterations tell that from many changes */
};

static void run_firmware(const struct firmware *f, size_t few, struct tally *t, size_t *named)
{
    start_sim(9, 3);
    for (size_t n = trials(few); n > 0; n--) {
        struct diff d;
        use_profile(30, f->idle);
        sim.load = f->load;
        sim.iterations = f->iterations;
        set_noise(0.01, 0.01);
        size_t last = f->changed == SIM_ROWS ? 15 : f->changed;
        for (size_t i = 1; i <= last; i++)
            sim.newer[i] *= random_next(&sim.random) % 2 || last > 3 ? f->factor : 1 / f->factor;
        sim_run(&sim, &d);
        tally_add(t, &sim, &d);
        assert_int_equal(d.per, f->per);
        *named += d.together > 0;
        diff_free(&d);
    }
}

static void test_reference(void **state)
{
    static const struct firmware all[] = {
        {"idle 45 %, one row 25 %", 0.45, 0, false, 1, 1.25, DIFF_PER_SECOND, false},
        {"idle 45 %, three rows", 0.45, 0, false, 3, 1.25, DIFF_PER_SECOND, false},
        {"idle 45 %, half of the rows +10 %", 0.45, 0, false, SIM_ROWS, 1.1, DIFF_PER_SECOND,
         false},
        {"load varies 5 % from run to run", 0.45, 0.05, false, 1, 1.25, DIFF_PER_SECOND, false},
        {"the same with iterations", 0.45, 0.05, true, 1, 1.25, DIFF_PER_ITERATION, false},
        {"never idle, one row", 0, 0, false, 1, 1.25, DIFF_PER_MEDIAN, false},
        {"never idle, three rows", 0, 0, false, 3, 1.25, DIFF_PER_MEDIAN, false},
        {"never idle, half, iterations", 0, 0, true, SIM_ROWS, 1.1, DIFF_PER_ITERATION, false},
    };

    for (size_t i = 0; i < COUNT(all); i++) {
        struct tally t = {0};
        size_t named = 0;
        run_firmware(&all[i], 30, &t, &named);
        tally_show(all[i].name, &t);
        printf("%42s all rows together: %.1f %%\n", "", 100 * tally_part(named, t.trials));
        assert_true(tally_part(t.false_trials, t.trials) <= 0.06 + tally_chance(t.trials, 0.05));
    }
}

/* Twice the work: all rows rise, and it is said. */
static void test_load(void **state)
{
    size_t said = 0, count = trials(30);

    start_sim(10, 3);
    for (size_t n = count; n > 0; n--) {
        struct diff d;
        use_profile(30, 0.45);
        set_noise(0.01, 0.01);
        for (size_t i = 1; i < sim.count; i++)
            sim.newer[i] *= 1.1;
        sim_run(&sim, &d);
        said += d.together > 0.05 && d.together < 0.15;
        diff_free(&d);
    }
    printf("all rows +10 %%: said in %.1f %%\n", 100 * tally_part(said, count));
    assert_true(tally_part(said, count) >= 0.95 - tally_chance(count, 0.05));
}

/* How many diffs a gate of +5 % on all functions stops. */
static double stopped(size_t runs, double noise, double change, bool all_rows, size_t few)
{
    const struct gate_threshold plus_5 = {.limit = 0.05};
    size_t stops = 0, count = trials(few);

    start_sim(11, runs);
    for (size_t n = count; n > 0; n--) {
        struct diff d;
        struct diff_limit limits[40];
        bool stop = false;
        use_profile(30, 0.3);
        sim_share(&sim, 1, 0.2);
        set_noise(noise, noise);
        for (size_t i = 1; i < (all_rows ? sim.count : 2); i++)
            sim.newer[i] *= 1 + change;
        sim_run(&sim, &d);
        for (size_t i = 1; i < sim.count; i++)
            limits[i - 1] = (struct diff_limit){.row = i, .limit = 1.05};
        assert_true(diff_prove(&d, limits, sim.count - 1));
        for (size_t i = 0; i + 1 < sim.count; i++)
            stop |= gate_judge(&plus_5, &d.rows[i + 1], &limits[i]) == GATE_ABOVE;
        stops += stop;
        diff_free(&d);
    }
    printf("gate +5 %%, %zu v %zu, noise %.0f %%, %s %+.0f %%: stops %.1f %% of %zu\n", runs, runs,
           100 * noise, all_rows ? "all rows" : "20 % row", 100 * change,
           100 * tally_part(stops, count), count);
    return tally_part(stops, count);
}

static void test_gate(void **state)
{
    static const double changes[] = {-0.3, 0, 0.05, 0.07, 0.15};

    for (size_t i = 0; i < COUNT(changes); i++) {
        assert_true(changes[i] > 0.05 || stopped(3, 0.01, changes[i], false, 6) <= 0.06);
        assert_true(changes[i] > 0.05 || stopped(5, 0.01, changes[i], false, 6) <= 0.06);
        (void)stopped(5, 0.03, changes[i], false, 4);
    }
    assert_true(stopped(3, 0.01, 0.03, false, 60) <= 0.005);
    assert_true(stopped(5, 0.01, 0.03, false, 40) <= 0.005);
    assert_true(stopped(5, 0.03, 0.03, false, 20) <= 0.005);
    (void)stopped(3, 0.01, 0.1, false, 20);
    assert_true(stopped(5, 0.01, 0.1, false, 60) >= 0.95 - tally_chance(60, 0.05));
    (void)stopped(5, 0.03, 0.1, false, 4);
    assert_true(stopped(3, 0.01, 0.04, true, 10) <= 0.02);
}

/* One side has more runs, and much more noise: only as many as the other has are used. */
static void test_unequal(void **state)
{
    struct tally t = {0};

    start_sim(12, 5);
    sim.fewer = 3;
    for (size_t n = trials(40); n > 0; n--) {
        use_profile(30, 0.3);
        lognormal();
        trial(&t);
    }
    tally_show("5 v 3, lognormal", &t);
    tally_few_false(&t);
}

static int by_size(const void *left, const void *right)
{
    const double *l = left, *r = right;

    return (*l > *r) - (*l < *r);
}

/* The live comparison: base is complete, new grows and is looked at each second. */
static void watch(double base_s, size_t looks, double idle, double change, size_t few,
                  double *marked, double *found_s)
{
    static struct diff_hits sums[2][SIM_ROWS];
    static double seconds[1000];
    size_t count = trials(few), with = 0;

    start_sim(13, 1);
    for (size_t n = count; n > 0; n--) {
        bool any = false, hit = false;
        use_profile(30, idle);
        sim_share(&sim, 1, 0.2);
        sim.newer[1] *= 1 + change;
        if (idle > 0) /* the time is the same */
            sim.newer[0] -= sim.newer[1] - sim.base[1];
        sim_draw(&sim, sim.base, (uint64_t)(1000 * base_s), sums[0]);
        for (size_t i = 0; i < sim.count; i++)
            sums[1][i].hits = 0;
        for (size_t k = 1; k <= looks && !hit; k++) {
            struct diff d;
            sim_draw(&sim, sim.newer, 1000, sim.hits[1][0]);
            for (size_t i = 0; i < sim.count; i++)
                sums[1][i].hits += sim.hits[1][0][i].hits;
            const struct diff_snapshot runs[2] = {
                {.rows = sums[0], .sample_hz = 1000, .duration_s = base_s, .idle = idle},
                {.rows = sums[1], .sample_hz = 1000, .duration_s = (double)k, .idle = idle}};
            const struct diff_side sides[2] = {{&runs[0], 1}, {&runs[1], 1}};
            struct diff_options options = DIFF_OPTIONS_DEFAULT;
            options.repeated = true;
            assert_int_equal(diff_make(&sides[0], &sides[1], sim.count, &options, &d), DIFF_OK);
            for (size_t i = 0; i < sim.count; i++) {
                bool is_true = i == 1 && change > 0;
                any |= d.rows[i].significant && !is_true && (i != 0 || idle <= 0);
                hit |= d.rows[i].significant && is_true;
            }
            seconds[n - 1] = hit ? (double)k : INFINITY;
            diff_free(&d);
        }
        with += any;
    }
    qsort(seconds, count, sizeof(*seconds), by_size);
    *marked = tally_part(with, count);
    *found_s = seconds[count / 2];
}

static void test_repeated(void **state)
{
    static const double idles[] = {0.3, 0};
    bool soak = getenv("MPROF_SOAK") != NULL;

    for (size_t i = 0; i < COUNT(idles); i++) {
        double marked, found_s;
        const char *what = idles[i] > 0 ? "idle 30 %" : "never idle";
        watch(10, 100, idles[i], 0, 5, &marked, &found_s);
        printf("live, %s, base 10 s, 100 looks: false in %.1f %%\n", what, 100 * marked);
        assert_true(marked <= (soak ? 0.05 : 0.25));
        watch(60, 300, idles[i], 0.1, 4, &marked, &found_s);
        printf("live, %s, base 60 s, 20 %% row +10 %%: after %.0f s (median), false in %.1f %%\n",
               what, found_s, 100 * marked);
        assert_true(found_s < (soak ? 12 : 30));
    }
}

/* Every row is exactly at its budget: none may be said to be above. */
static void test_budgets(void **state)
{
    size_t above = 0, count = trials(40);

    start_sim(14, 3);
    for (size_t n = count; n > 0; n--) {
        struct diff d;
        bool tripped = false;
        double low, high, all = 0;
        use_profile(20, 0);
        set_noise(0.03, 0.03);
        sim_run(&sim, &d);
        for (size_t i = 0; i < sim.count; i++)
            all += sim.newer[i];
        for (size_t i = 0; i < sim.count; i++)
            tripped |=
                gate_budget(&d.rows[i], sim.newer[i] / all, sim.count, &low, &high) == GATE_ABOVE;
        above += tripped;
        diff_free(&d);
    }
    printf("21 rows at their budgets, noise 3 %%, 3 a side: gate trips in %.1f %%\n",
           100 * tally_part(above, count));
    assert_true(tally_part(above, count) <= 0.04 + tally_chance(count, 0.03));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nothing_changed),
    cmocka_unit_test(test_found),
    cmocka_unit_test(test_more_runs),
    cmocka_unit_test(test_reference),
    cmocka_unit_test(test_load),
    cmocka_unit_test(test_gate),
    cmocka_unit_test(test_unequal),
    cmocka_unit_test(test_repeated),
    cmocka_unit_test(test_budgets),
};

int main(void)
{
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, all_trials, "trials");
}
