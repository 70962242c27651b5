/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pearson's chi-squared of blocks by seconds, and how unlikely one as small as that is. */
#include <profile/lockstep.h>

#include <math.h>
#include <stdlib.h>

#include <base/sorted.h>

/* A block takes part if it has this many hits in the second with the fewest samples. */
#define LEAST_EXPECTED 10

#define SECONDS_MIN 4

/* 1e-12, so that a million refreshes find nothing by chance at 1e-6. */
#define LOG_ALPHA (-27.6)

/* Seconds by blocks. Sums of seconds are of the blocks that take part. */
struct hits_table {
    const struct window_piece *pieces;
    size_t seconds;
    double *in_second; /* the hits of each second, and their sum */
    double all;
};

/* Of a piece that is over, which is sorted by address; callers and exceptions do not matter. */
static double hits_at(const struct window_piece *piece, uint64_t addr)
{
    double hits = 0;
    size_t i = sorted_below(SORTED_BY(piece->hits, piece->count, struct window_hit, addr), addr);

    for (; i < piece->count && piece->hits[i].addr == addr; i++)
        hits += (double)piece->hits[i].hits;
    return hits;
}

static double hits_of(const struct hits_table *t, uint64_t addr)
{
    double hits = 0;

    for (size_t s = 0; s < t->seconds; s++)
        hits += hits_at(&t->pieces[s], addr);
    return hits;
}

/* Of the addresses of the first second, those with enough hits stay. A block that comes later has
 * too few of them at first to be of use. Returns how many. */
static size_t choose(const struct hits_table *t, uint64_t *addresses)
{
    double least = HUGE_VAL, all = 0;
    size_t chosen = 0;

    for (size_t s = 0; s < t->seconds; s++) {
        least = fmin(least, (double)t->pieces[s].total);
        all += (double)t->pieces[s].total;
    }
    for (size_t i = 0; i < t->pieces[0].count; i++) {
        uint64_t addr = t->pieces[0].hits[i].addr;
        bool repeated = chosen && addresses[chosen - 1] == addr;
        if (!repeated && hits_of(t, addr) * least >= LEAST_EXPECTED * all)
            addresses[chosen++] = addr;
    }
    return chosen;
}

static void add_up(struct hits_table *t, const uint64_t *addresses, size_t count)
{
    t->all = 0;
    for (size_t s = 0; s < t->seconds; s++) {
        t->in_second[s] = 0;
        for (size_t i = 0; i < count; i++)
            t->in_second[s] += hits_at(&t->pieces[s], addresses[i]);
        t->all += t->in_second[s];
    }
}

/* Hits are whole numbers: each deviation is taken half a hit larger, so that the continuous
 * distribution is a bound. */
static double chi_squared_of(const struct hits_table *t, uint64_t addr)
{
    double share = hits_of(t, addr) / t->all, sum = 0;

    for (size_t s = 0; s < t->seconds; s++) {
        double expected = share * t->in_second[s];
        double off = fabs(hits_at(&t->pieces[s], addr) - expected) + 0.5;
        if (expected > 0)
            sum += off * off / expected;
    }
    return sum;
}

/* Chernoff's bound on the logarithm of the probability of a chi-squared as small as that. */
static double log_chance(double chi_squared, double freedom)
{
    double part = chi_squared / freedom;

    return part < 1 ? freedom / 2 * (log(part) + 1 - part) : 0;
}

static enum lockstep judge(struct hits_table *t, const uint64_t *addresses, size_t count)
{
    double freedom = ((double)count - 1) * ((double)t->seconds - 1), chi_squared = 0;

    if (count < 2)
        return LOCKSTEP_NOT_TESTED;
    add_up(t, addresses, count);
    for (size_t i = 0; i < count; i++)
        chi_squared += chi_squared_of(t, addresses[i]);
    return log_chance(chi_squared, freedom) < LOG_ALPHA ? LOCKSTEP_FOUND : LOCKSTEP_NOT_FOUND;
}

enum lockstep lockstep_of(const struct recent_window *window)
{
    struct hits_table t = {.seconds = 0};
    enum lockstep found = LOCKSTEP_NOT_TESTED;

    if (!window)
        return found;
    t.pieces = recent_window_pieces(window, &t.seconds);
    if (t.seconds <= SECONDS_MIN)
        return found;
    t.seconds--; /* the last one is not over */
    uint64_t *addresses = malloc((t.pieces[0].count + 1) * sizeof(*addresses));
    t.in_second = malloc(t.seconds * sizeof(*t.in_second));
    if (addresses && t.in_second)
        found = judge(&t, addresses, choose(&t, addresses));
    free(addresses);
    free(t.in_second);
    return found;
}
