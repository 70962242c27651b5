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

double stats_wilson_end(double share, double unit, double z, int sign)
{
    double zz = z * z * unit;
    double middle = (share + zz / 2) / (1 + zz);
    double half = sqrt(fmax(0, share * (1 - share) * zz + zz * zz / 4)) / (1 + zz);

    return sign < 0 ? fmin(share, fmax(0, middle - half)) : fmax(share, fmin(1, middle + half));
}

/* An end of the interval of a share of hits, as far as chance is in them. */
static double end_of(const struct stats_whole *whole, double spread, double hits, double total,
                     int sign)
{
    double share = clamp(hits / total, 0, 1);

    return whole->sampled ? stats_wilson_end(share, fmax(spread, 1) / total, z95, sign) : share;
}

struct stats_share stats_wilson(double hits, double total)
{
    const struct stats_whole whole = {.sampled = true};

    if (total <= 0)
        return (struct stats_share){.value = 0, .low = 0, .high = 1};
    return (struct stats_share){.value = clamp(hits / total, 0, 1),
                                .low = end_of(&whole, 1, hits, total, -1),
                                .high = end_of(&whole, 1, hits, total, 1)};
}

double stats_waited(uint64_t inherited, uint64_t dropped)
{
    return fmin(geometric95 * (double)inherited, (double)dropped);
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
    share.low = end_of(whole, spread, least, largest, -1);
    share.high = end_of(whole, spread, most, smallest, 1);
    double value = whole->decays ? (double)count->hits / fmax((double)whole->attributed, 1)
                                 : ((double)count->hits + count->unseen.likely) / total;
    share.value = clamp(value, share.low, share.high);
    return share;
}

static struct stats_share table_share(uint64_t hits, const struct stats_count *count,
                                      const struct stats_whole *whole)
{
    struct stats_share share = {.value = 0, .low = 0, .high = 1};
    double inherited = fmin((double)count->inherited, (double)hits), spread = count->spread;
    double attributed = (double)whole->attributed, own = (double)hits - inherited;
    double waited = stats_waited((uint64_t)inherited, whole->dropped);

    if (whole->attributed == 0)
        return share;
    share.value = fmin(1, (double)hits / attributed);
    share.low = fmin(end_of(whole, spread, (double)hits, attributed, -1),
                     end_of(whole, spread, own, attributed + (double)whole->dropped, -1));
    share.high = end_of(whole, spread, own + fmax(waited, inherited), attributed, 1);
    return share;
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
