/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated runs of firmware with known shares. */
#include "diff_sim.h"

#include <math.h>

#include "unit.h"

#include "sim_random.h"

/* G. Marsaglia and W. W. Tsang 2000; shape >= 1. */
static double gamma_of(struct sim *s, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        double x = random_normal(&s->random), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(random_uniform(&s->random)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

/* D. A. Relles 1972: the middle one of n uniform numbers halves the problem; exact. */
static uint64_t binomial(struct sim *s, uint64_t n, double p)
{
    uint64_t hits = 0;

    while (n > 24) {
        uint64_t i = (n + 1) / 2;
        double below = gamma_of(s, (double)i), above = gamma_of(s, (double)(n + 1 - i));
        double middle = below / (below + above);
        if (p < middle) {
            n = i - 1;
            p /= middle;
        } else {
            hits += i;
            n -= i;
            p = (p - middle) / (1 - middle);
        }
    }
    for (; n > 0; n--)
        hits += random_uniform(&s->random) < p;
    return hits;
}

void sim_draw(struct sim *s, const double *times, uint64_t total, struct diff_hits *hits)
{
    double left = 0;

    for (size_t i = 0; i < s->count; i++)
        left += times[i];
    for (size_t i = 0; i < s->count; i++) {
        bool last = i + 1 == s->count || times[i] >= left;
        hits[i].hits = last ? total : binomial(s, total, times[i] / left);
        hits[i].inherited = 0;
        total -= hits[i].hits;
        left -= times[i];
    }
}

/* What a row takes in a run, over what it takes on average. */
static double wobble(struct sim *s, size_t row, double common)
{
    double z = s->kind == SIM_TOGETHER ? common : random_normal(&s->random);

    if (s->kind == SIM_TAILS) {
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            double x = random_normal(&s->random);
            sum += x * x;
        }
        z /= sqrt(sum);
    }
    if (s->kind == SIM_OUTLIERS)
        return random_uniform(&s->random) < 0.01 ? 1.25 : 1;
    return exp(s->noise[row] * z);
}

static void draw_run(struct sim *s, int side, size_t k)
{
    const double *times = side == 0 ? s->base : s->newer;
    double run[SIM_ROWS], all = 0, busy = 0, common = random_normal(&s->random);
    size_t first = s->idle > 0;

    s->work[side][k] = s->load > 0 ? exp(s->load * random_normal(&s->random)) : 1;
    for (size_t i = first; i < s->count; i++) {
        run[i] = times[i] * wobble(s, i, common) * s->work[side][k];
        busy += run[i];
        all += s->base[i];
    }
    if (first)
        run[0] = fmax(1e-9 * all, all / (1 - s->idle) - busy);
    sim_draw(s, run, s->total, s->hits[side][k]);
    /* A core that is always busy gets less done if work takes longer. */
    if (!first)
        s->work[side][k] *= all / busy;
}

void sim_profile(struct sim *s, size_t count, double zipf)
{
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        s->base[i] = pow((double)(i + 1), -zipf);
        s->noise[i] = 0;
    }
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = random_next(&s->random) % (i + 1);
        double kept = s->base[i];
        s->base[i] = s->base[j];
        s->base[j] = kept;
    }
    for (size_t i = 0; i < count; i++)
        s->newer[i] = s->base[i];
}

void sim_share(struct sim *s, size_t row, double share)
{
    double rest = 0;

    for (size_t i = 0; i < s->count; i++)
        rest += i == row ? 0 : s->base[i];
    s->base[row] = s->newer[row] = rest * share / (1 - share);
}

static double idle_part(const struct sim *s, const struct diff_hits *hits)
{
    return s->idle > 0 ? (double)hits[0].hits / (double)s->total : 0;
}

void sim_run(struct sim *s, struct diff *out)
{
    struct diff_snapshot snapshots[2][SIM_SNAPSHOTS] = {0};
    struct diff_side sides[2];

    for (int side = 0; side < 2; side++) {
        size_t count = side == 1 && s->fewer ? s->fewer : s->snapshots;
        for (size_t k = 0; k < count; k++) {
            draw_run(s, side, k);
            snapshots[side][k] =
                (struct diff_snapshot){.rows = s->hits[side][k],
                                       .sample_hz = 1000,
                                       .duration_s = (double)s->total / 1000,
                                       .iterations = s->iterations ? 1e4 * s->work[side][k] : 0,
                                       .idle = idle_part(s, s->hits[side][k])};
        }
        sides[side] = (struct diff_side){.snapshots = snapshots[side], .count = count};
    }
    s->idles[0] = s->idle > 0;
    s->options.idle = s->idles;
    assert_int_equal(diff_make(&sides[0], &sides[1], s->count, &s->options, out), DIFF_OK);
}

void tally_add(struct tally *t, const struct sim *sim, const struct diff *d)
{
    bool untrue = false;

    for (size_t i = 0; i < d->count; i++) {
        const struct diff_row *row = &d->rows[i];
        bool moved = fabs(sim->newer[i] - sim->base[i]) > 1e-12 * sim->base[i];
        if (row->idle)
            continue;
        double truth = sim->newer[i] / sim->base[i];
        t->changed += moved;
        t->found += moved && row->significant;
        untrue |= !moved && row->significant;
        t->wrong_way +=
            moved && row->significant && row->direction != (sim->newer[i] > sim->base[i] ? 1 : -1);
        if (row->state == DIFF_EMPTY)
            continue;
        t->intervals++;
        t->covered += row->ratio_low <= truth && truth <= row->ratio_high;
    }
    t->trials++;
    t->false_trials += untrue;
    t->contested += d->contested;
}

double tally_part(size_t count, size_t all)
{
    return all > 0 ? (double)count / (double)all : 0;
}

void tally_show(const char *what, const struct tally *t)
{
    double part = tally_part(t->false_trials, t->trials);

    printf("%-42s %5zu diffs: false %4.1f %% (s.e. %.1f)", what, t->trials, 100 * part,
           100 * sqrt(fmax(part, 0.01) * (1 - part) / (double)t->trials));
    if (t->changed)
        printf(", found %5.1f %%", 100 * tally_part(t->found, t->changed));
    printf(", covered %5.1f %%", 100 * tally_part(t->covered, t->intervals));
    if (t->contested)
        printf(", cannot tell %4.1f %%", 100 * tally_part(t->contested, t->trials));
    printf("\n");
}

double tally_chance(size_t count, double rate)
{
    return 3 * sqrt(rate * (1 - rate) / (double)count);
}

void tally_few_false(const struct tally *t)
{
    double most = getenv("MPROF_SOAK") != NULL ? 0.06 : 0.05 + tally_chance(t->trials, 0.05);

    assert_true(tally_part(t->false_trials, t->trials) <= most);
}
