/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variance of a share, from batch to batch, beside that of independent samples: for a function
 * with n_b of the m_b samples of batch b and the share p of all n, sum((n_b - p m_b)^2) beside
 * n p (1 - p) (the ratio estimator of cluster sampling; Cochran, Sampling Techniques, 9.7). */
#include "spread.h"

#include <math.h>
#include <stdlib.h>

#include <base/vec.h>

/* Functions with fewer samples say nothing; and with fewer batches, none is taken to tell more than
 * one sample does. */
#define SAMPLES_MIN 30
#define BATCHES_MIN 10

/* A function. */
struct sums {
    uint64_t key;
    double all;      /* samples */
    double squares;  /* sum over batches of the square of its samples in the batch */
    double products; /* sum of its samples in the batch times all samples of the batch */
    uint32_t now;    /* in this batch */
};

struct taken_spread {
    struct sums *list;
    size_t count, capacity;
    size_t *touched; /* entries of the list with samples in this batch */
    size_t touched_count, touched_capacity;
    uint32_t now; /* samples in this batch */
    double all, squares;
    size_t batches;
};

struct taken_spread *spread_new(void)
{
    return calloc(1, sizeof(struct taken_spread));
}

void spread_free(struct taken_spread *spread)
{
    if (!spread)
        return;
    free(spread->list);
    free(spread->touched);
    free(spread);
}

void spread_clear(struct taken_spread *spread)
{
    spread->count = spread->touched_count = spread->batches = 0;
    spread->now = 0;
    spread->all = spread->squares = 0;
}

/* Sorted by key. Returns the index, or where it would be. */
static size_t find(const struct taken_spread *s, uint64_t key)
{
    size_t low = 0, high = s->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->list[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Entries behind it move. */
static bool insert(struct taken_spread *s, size_t at, uint64_t key)
{
    if (!VEC_ROOM(s->list, s->capacity, s->count, 1))
        return false;
    for (size_t i = s->count; i > at; i--)
        s->list[i] = s->list[i - 1];
    for (size_t i = 0; i < s->touched_count; i++)
        s->touched[i] += s->touched[i] >= at;
    s->list[at] = (struct sums){.key = key};
    s->count++;
    return true;
}

bool spread_add(struct taken_spread *spread, uint64_t key)
{
    struct taken_spread *s = spread;
    size_t at = find(s, key);

    if (!VEC_ROOM(s->touched, s->touched_capacity, s->touched_count, 1))
        return false;
    if ((at == s->count || s->list[at].key != key) && !insert(s, at, key))
        return false;
    if (s->list[at].now++ == 0)
        s->touched[s->touched_count++] = at;
    s->now++;
    return true;
}

void spread_end_batch(struct taken_spread *spread)
{
    double batch = spread->now;

    for (size_t i = 0; i < spread->touched_count; i++) {
        struct sums *sums = &spread->list[spread->touched[i]];
        double now = sums->now;
        sums->all += now;
        sums->squares += now * now;
        sums->products += now * batch;
        sums->now = 0;
    }
    spread->all += batch;
    spread->squares += batch * batch;
    spread->batches += batch > 0;
    spread->touched_count = 0;
    spread->now = 0;
}

static double factor_of(const struct taken_spread *s, const struct sums *sums)
{
    double p = sums->all / s->all;
    double between = sums->squares - 2 * p * sums->products + p * p * s->squares;

    return between / (s->all * p * (1 - p));
}

double spread_factor(const struct taken_spread *spread)
{
    double factor = 1;

    if (spread->batches < BATCHES_MIN)
        return fmax(1, spread->all / fmax((double)spread->batches, 1));
    for (size_t i = 0; i < spread->count; i++) {
        const struct sums *sums = &spread->list[i];
        if (sums->all >= SAMPLES_MIN && spread->all - sums->all >= SAMPLES_MIN)
            factor = fmax(factor, factor_of(spread, sums));
    }
    return factor;
}
