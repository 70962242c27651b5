/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of shares. */
#include <profile/stats.h>

#include <math.h>

/* The 97.5 % quantile of the normal distribution. */
static const double z95 = 1.959963984540054;

/* Waits of a geometric variable longer than this many means happen in 5 % of cases: -ln(0.05). */
static const double geometric95 = 2.995732273553991;

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

struct stats_share stats_wilson(double hits, double total)
{
    struct stats_share share = {.value = 0, .low = 0, .high = 1};

    if (total <= 0)
        return share;
    double p = clamp(hits / total, 0, 1);
    double zz = z95 * z95 / total;
    double middle = (p + zz / 2) / (1 + zz);
    double half = z95 / (1 + zz) * sqrt(p * (1 - p) / total + zz / (4 * total));
    share.value = p;
    share.low = clamp(middle - half, 0, p);
    share.high = clamp(middle + half, p, 1);
    return share;
}

/* The same of hits whose number has spread times the variance of counting. */
static struct stats_share spread_wilson(double hits, double total, double spread)
{
    double part = 1 / fmax(spread, 1);

    return stats_wilson(hits * part, total * part);
}

static struct stats_share row_share(uint64_t hits, uint64_t inherited, uint64_t attributed,
                                    uint64_t dropped, double spread)
{
    double unseen = fmin(geometric95 * (double)inherited, (double)dropped);
    double all = (double)attributed + (double)dropped;
    double own = (double)(hits - inherited);
    struct stats_share share = spread_wilson((double)hits, (double)attributed, spread);
    struct stats_share least = spread_wilson(own, all, spread);
    struct stats_share most =
        spread_wilson(own + fmax(unseen, (double)inherited), (double)attributed, spread);

    share.low = fmin(share.low, least.low);
    share.high = fmax(share.high, most.high);
    return share;
}

struct stats_share stats_row_share(uint64_t hits, uint64_t inherited, uint64_t attributed,
                                   uint64_t dropped)
{
    return row_share(hits, inherited, attributed, dropped, 1);
}

struct stats_share stats_exact_share(uint64_t hits, uint64_t inherited, uint64_t attributed,
                                     uint64_t dropped)
{
    struct stats_share share = {.value = 0, .low = 0, .high = 1};

    if (attributed == 0)
        return share;
    double unseen = fmin(geometric95 * (double)inherited, (double)dropped);
    double all = (double)attributed + (double)dropped;
    double own = (double)(hits - inherited);
    share.value = (double)hits / (double)attributed;
    share.low = fmin(share.value, own / all);
    share.high = clamp((own + unseen) / (double)attributed, share.value, 1);
    return share;
}

static struct stats_share located_share(const struct stats_count *count,
                                        const struct stats_whole *whole)
{
    struct stats_share share = {.value = 0, .low = 0, .high = 1};
    /* What is left out may have lost more or less, so the total is a range as well. */
    const struct stats_unseen *out = &whole->left_out;
    double all = (double)whole->attributed + (double)whole->dropped;
    double total = all - out->likely;
    double own = fmax((double)count->least - (double)count->inherited, 0);
    double least = own + (double)count->unseen.least;
    double most = fmin((double)count->most + (double)count->unseen.most, all - (double)out->least);
    double largest = all - (double)out->least;
    double smallest = fmax(all - (double)out->most, most);

    if (total <= 0)
        return share;
    double spread = count->spread;
    share.low = whole->sampled ? spread_wilson(least, largest, spread).low : least / largest;
    share.high = whole->sampled ? spread_wilson(most, smallest, spread).high : most / smallest;
    double value = whole->decays ? (double)count->hits / fmax((double)whole->attributed, 1)
                                 : ((double)count->hits + count->unseen.likely) / total;
    share.value = clamp(value, share.low, share.high);
    return share;
}

static struct stats_share table_share(uint64_t hits, const struct stats_count *count,
                                      const struct stats_whole *whole)
{
    uint64_t inherited = count->inherited;
    uint64_t of_it = inherited < hits ? inherited : hits;

    return whole->sampled ? row_share(hits, of_it, whole->attributed, whole->dropped, count->spread)
                          : stats_exact_share(hits, of_it, whole->attributed, whole->dropped);
}

struct stats_share stats_share_of(const struct stats_count *counted,
                                  const struct stats_whole *whole)
{
    struct stats_count wide = *counted;
    const struct stats_count *count = &wide;

    /* Samples that depend on each other tell as much as fewer that do not. */
    wide.spread = fmax(counted->spread, whole->spread);
    if (whole->located)
        return located_share(count, whole);
    struct stats_share share = table_share(count->hits, count, whole);
    uint64_t most = count->most < whole->attributed ? count->most : whole->attributed;
    share.low = fmin(share.low, table_share(count->least, count, whole).low);
    share.high = fmax(share.high, table_share(most, count, whole).high);
    return share;
}
