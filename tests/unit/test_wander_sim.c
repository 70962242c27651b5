/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often the interval of a report holds: simulated firmware whose samples depend on each other
 * (docs/statistics.md, "Within one run"). make bench-diff prints the table of the long runs. */
#include <math.h>

#include "unit.h"

#include <profile/stats.h>
#include <wander/wander.h>

#include "counted.h"
#include "sim_random.h"

#define ROWS      12
#define SAMPLE_HZ 1000.0
#define POLL_S    0.5

/* A firmware: which row runs at each moment. */
struct firmware {
    const char *name;
    void (*begin)(const struct firmware *f);
    double (*shares)(const struct firmware *f, size_t row); /* over a long time */
    /* Sets what runs from now on, and returns for how long, in seconds. */
    double (*next)(const struct firmware *f);
    double period_s, vary; /* of its loop, bursts, modes */
    double run_s;
    double least;  /* of the intervals that hold; short counts are let pass with less */
    double widest; /* median of the width over that of counting */
    size_t few;    /* trials of a short count */
};

static uint64_t state;
static size_t all_trials;
static double now_shares[ROWS]; /* of what runs now; one row, or a mixture */
static size_t phase;
static double angle;

static double uniform(void)
{
    return random_uniform(&state);
}

/* The shares of rows by themselves: Zipf's law. */
static double own_share(size_t row)
{
    double all = 0;

    for (size_t i = 0; i < ROWS; i++)
        all += pow((double)(i + 1), -0.9);
    return pow((double)(row + 1), -0.9) / all;
}

static void run_only(size_t row)
{
    for (size_t i = 0; i < ROWS; i++)
        now_shares[i] = i == row;
}

static void run_own(void)
{
    for (size_t i = 0; i < ROWS; i++)
        now_shares[i] = own_share(i);
}

static double alike(const struct firmware *f, size_t row)
{
    (void)f;
    return own_share(row);
}

static double independent(const struct firmware *f)
{
    run_own();
    return f->run_s;
}

/* One row after the other, each for its part of the period; at first amid one. */
static double loop(const struct firmware *f)
{
    double s = f->period_s * own_share(phase);

    run_only(phase);
    phase = (phase + 1) % ROWS;
    return fmax(0.05 * s, s * (1 + f->vary * random_normal(&state)));
}

/* A loop has been running for some time when the run begins. */
static void begin_loop(const struct firmware *f)
{
    phase = 0;
    for (double left = (5 + 5 * uniform()) * f->period_s; left > 0;)
        left -= loop(f);
}

/* What loop() cuts off makes phases longer by that. */
static double loop_share(const struct firmware *f, size_t row)
{
    (void)f;
    return own_share(row); /* by the same factor in all */
}

/* The first row alone for a while, vary times a second; else all rows but it. */
static double bursts(const struct firmware *f)
{
    phase = !phase;
    if (phase) {
        run_only(0);
        return -log(uniform()) * f->period_s;
    }
    for (size_t i = 0; i < ROWS; i++)
        now_shares[i] = i == 0 ? 0 : own_share(i) / (1 - own_share(0));
    return -log(uniform()) / f->vary;
}

static double burst_part(const struct firmware *f)
{
    return f->period_s / (f->period_s + 1 / f->vary);
}

static double burst_share(const struct firmware *f, size_t row)
{
    double part = burst_part(f);

    return row == 0 ? part : (1 - part) * own_share(row) / (1 - own_share(0));
}

/* It begins in a burst as often as there are bursts. */
static void begin_bursts(const struct firmware *f)
{
    phase = uniform() >= burst_part(f);
}

/* Two modes: in the second one the rows are the other way round. */
static double modes(const struct firmware *f)
{
    phase = !phase;
    for (size_t i = 0; i < ROWS; i++)
        now_shares[i] = own_share(phase ? i : ROWS - 1 - i);
    return -log(uniform()) * f->period_s;
}

static double mode_share(const struct firmware *f, size_t row)
{
    (void)f;
    return (own_share(row) + own_share(ROWS - 1 - row)) / 2;
}

static void begin_modes(const struct firmware *f)
{
    (void)f;
    phase = uniform() < 0.5;
}

/* A mixture of the two modes, by the sine of an angle that walks at random. */
static double drift(const struct firmware *f)
{
    const double step_s = 0.01;
    double part = 0.5 + 0.5 * sin(angle);

    angle += random_normal(&state) * sqrt(2 * step_s / f->period_s);
    for (size_t i = 0; i < ROWS; i++)
        now_shares[i] = part * own_share(i) + (1 - part) * own_share(ROWS - 1 - i);
    return step_s;
}

static void begin_drift(const struct firmware *f)
{
    (void)f;
    angle = 6.283185307179586 * uniform();
}

static size_t sample(void)
{
    double at = uniform();
    size_t row = 0;

    while (row + 1 < ROWS && at >= now_shares[row])
        at -= now_shares[row++];
    return row;
}

/* A run, polled as 'mprof snapshot' does. */
static void run(const struct firmware *f, struct slices *slices, uint64_t hits[ROWS])
{
    double until_s = 0, poll_s = POLL_S;
    bool any = false;

    memset(hits, 0, ROWS * sizeof(hits[0]));
    slices_clear(slices);
    if (f->begin)
        f->begin(f);
    /* The timer's period varies at random by half of it. */
    for (double s = uniform() / SAMPLE_HZ; s < f->run_s;
         s += (0.75 + 0.5 * uniform()) / SAMPLE_HZ) {
        while (s >= until_s)
            until_s += f->next(f);
        if (s >= poll_s) {
            if (any)
                slices_end_poll(slices);
            any = false;
            poll_s += POLL_S;
        }
        size_t row = sample();
        assert_true(slices_add(slices, (struct wander_place){.addr = row}, 1));
        hits[row]++;
        any = true;
    }
    slices_end_poll(slices);
}

struct result {
    size_t intervals, counting, wider; /* all; those that hold by counting, and by the wider one */
    double *ratios;                    /* of the widths */
};

static struct stats_share interval(uint64_t hits, uint64_t all, double spread)
{
    const struct stats_count count = {.hits = hits, .least = hits, .most = hits, .spread = spread};
    const struct stats_whole whole = {.attributed = all, .sampled = true};

    return stats_share_of(&count, &whole);
}

static bool holds(const struct stats_share *share, double truth)
{
    return share->low <= truth && truth <= share->high;
}

static void judge(const struct firmware *f, const struct slices *slices, const uint64_t hits[ROWS],
                  struct result *r)
{
    struct wander_list list;
    struct wander sum = {.hits = 0};
    uint64_t all = 0;

    slices_wander(slices, &list);
    assert_int_equal(list.cosines, WANDER_COSINES);
    for (size_t i = 0; i < list.count; i++)
        wander_add(&sum, &list.rows[i].wander, 1);
    for (size_t i = 0; i < ROWS; i++)
        all += hits[i];
    for (size_t i = 0; i < list.count; i++) {
        size_t row = (size_t)list.rows[i].place.addr;
        double truth = f->shares(f, row);
        double spread = wander_spread(&list.rows[i].wander, &sum, list.cosines);
        struct stats_share counting = interval(hits[row], all, 1);
        struct stats_share wider = interval(hits[row], all, spread);
        r->counting += holds(&counting, truth);
        r->wider += holds(&wider, truth);
        r->ratios[r->intervals++] = (wider.high - wider.low) / (counting.high - counting.low);
    }
    wander_list_free(&list);
}

static int order(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void check(const struct firmware *f)
{
    bool soak = getenv("MPROF_SOAK") != NULL;
    size_t count = soak ? 1000 : f->few;
    struct slices *slices = slices_new();
    struct result r = {.ratios = malloc(count * ROWS * sizeof(double))};
    uint64_t hits[ROWS];

    assert_true(slices && r.ratios);
    state = 20;
    all_trials += count;
    for (size_t n = 0; n < count; n++) {
        run(f, slices, hits);
        judge(f, slices, hits, &r);
    }
    qsort(r.ratios, r.intervals, sizeof(*r.ratios), order);
    double part = (double)r.wider / (double)r.intervals, width = r.ratios[r.intervals / 2];
    printf("%-40s %3.0f s, %4zu runs: holds %5.1f %% (counting only: %5.1f %%), width %.2f\n",
           f->name, f->run_s, count, 100 * part, 100 * (double)r.counting / (double)r.intervals,
           width);
    /* Rows of one run are not independent: as if there were three of them. */
    assert_true(part >= f->least - 3 * sqrt(0.05 * 0.95 / (3 * (double)count)));
    assert_true(width <= f->widest);
    slices_free(slices);
    free(r.ratios);
}

static void test_coverage(void **s)
{
    static const struct firmware all[] = {
        {"independent samples", NULL, alike, independent, 0, 0, 10, 0.96, 1.3, 40},
        {"loop of 10 ms", begin_loop, loop_share, loop, 0.01, 0, 10, 0.96, 1.2, 20},
        {"loop of 100 ms", begin_loop, loop_share, loop, 0.1, 0, 10, 0.96, 1.2, 20},
        {"loop of 1 s, phases vary 20 %", begin_loop, loop_share, loop, 1, 0.2, 10, 0.95, 6, 40},
        {"loop of 1 s, phases vary 50 %", begin_loop, loop_share, loop, 1, 0.5, 10, 0.93, 8, 40},
        {"loop of 0.2 s, phases vary 50 %", begin_loop, loop_share, loop, 0.2, 0.5, 10, 0.93, 4,
         40},
        {"bursts of 50 ms, 2 a second", begin_bursts, burst_share, bursts, 0.05, 2, 10, 0.95, 2.5,
         40},
        {"bursts of 200 ms, 0.5 a second", begin_bursts, burst_share, bursts, 0.2, 0.5, 10, 0.93, 4,
         20},
        {"bursts of 200 ms, 0.5 a second", begin_bursts, burst_share, bursts, 0.2, 0.5, 60, 0.93, 4,
         20},
        {"two modes of 0.3 s", begin_modes, mode_share, modes, 0.3, 0, 10, 0.93, 4, 20},
        {"two modes of 2 s", begin_modes, mode_share, modes, 2, 0, 60, 0.93, 8, 20},
        {"drift in 1 s", begin_drift, mode_share, drift, 1, 0, 60, 0.93, 6, 20},
        {"drift in 5 s", begin_drift, mode_share, drift, 5, 0, 180, 0.93, 14, 5},
    };

    for (size_t i = 0; i < COUNT(all); i++)
        check(&all[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_coverage),
};

int main(void)
{
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, all_trials, "trials");
}
