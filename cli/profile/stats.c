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

struct stats_share stats_row_share(uint64_t hits, uint64_t inherited, uint64_t attributed,
                                   uint64_t dropped)
{
    double unseen = fmin(geometric95 * (double)inherited, (double)dropped);
    double all = (double)attributed + (double)dropped;
    struct stats_share share = stats_wilson((double)hits, (double)attributed);
    struct stats_share least = stats_wilson((double)(hits - inherited), all);
    struct stats_share most = stats_wilson(
        (double)(hits - inherited) + fmax(unseen, (double)inherited), (double)attributed);

    share.low = fmin(share.low, least.low);
    share.high = fmax(share.high, most.high);
    return share;
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
    share.low = whole->sampled ? stats_wilson(least, largest).low : least / largest;
    share.high = whole->sampled ? stats_wilson(most, smallest).high : most / smallest;
    double value = whole->decays ? (double)count->hits / fmax((double)whole->attributed, 1)
                                 : ((double)count->hits + count->unseen.likely) / total;
    share.value = clamp(value, share.low, share.high);
    return share;
}

static struct stats_share table_share(uint64_t hits, uint64_t inherited,
                                      const struct stats_whole *whole)
{
    uint64_t of_it = inherited < hits ? inherited : hits;

    return whole->sampled ? stats_row_share(hits, of_it, whole->attributed, whole->dropped)
                          : stats_exact_share(hits, of_it, whole->attributed, whole->dropped);
}

struct stats_share stats_share_of(const struct stats_count *count, const struct stats_whole *whole)
{
    if (whole->located)
        return located_share(count, whole);
    struct stats_share share = table_share(count->hits, count->inherited, whole);
    uint64_t most = count->most < whole->attributed ? count->most : whole->attributed;
    share.low = fmin(share.low, table_share(count->least, count->inherited, whole).low);
    share.high = fmax(share.high, table_share(most, count->inherited, whole).high);
    return share;
}
