/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of many differences are real: more than counting, and more than runs of one build differ by
 * (docs/statistics.md, "When a row is marked"). */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "diff_private.h"
#include "special.h"

/* Rotations, and where their random numbers start: the same files give the same answer. */
#define ROTATIONS 2000
static const uint64_t seed = 20;

/* Most that -log p is worked out for; from there on it goes on as a line. */
#define TABLE      4096
#define TABLE_MOST 500.0

/* -log p of Student's t with df degrees of freedom, by log(1 + t^2 / df). */
struct tail_table {
    double df, step;
    double values[TABLE + 1];
};

static void fill_table(struct tail_table *table, double df)
{
    table->df = df;
    table->step = 2 * TABLE_MOST / df / TABLE;
    for (int i = 0; i <= TABLE; i++) {
        double t = sqrt(df * expm1(i * table->step));
        table->values[i] = -log(fmax(special_t_two_sided(t, df), 1e-300));
    }
}

static double tail_of(const struct tail_table *table, double t2)
{
    double at = log1p(t2 / table->df) / table->step;

    if (at >= TABLE)
        return table->values[TABLE] + (at - TABLE) * table->step * table->df / 2;
    size_t i = (size_t)at;
    return table->values[i] + (at - (double)i) * (table->values[i + 1] - table->values[i]);
}

/* The t^2 whose -log p is tail. */
static double t2_of(const struct tail_table *table, double tail)
{
    double low = 0, high = TABLE;

    if (tail >= table->values[TABLE])
        return INFINITY;
    while (high - low > 1e-3) {
        double middle = (low + high) / 2;
        double t2 = table->df * expm1(middle * table->step);
        if (tail_of(table, t2) < tail)
            low = middle;
        else
            high = middle;
    }
    return table->df * expm1(low * table->step);
}

/* A difference that rotations turn. */
struct turned {
    const struct diff_item *item;
    double squares;   /* of all contrasts */
    double threshold; /* a first contrast whose square is smaller cannot matter */
    double score;     /* -log(p / weight), as it is */
    size_t rank;      /* index of the group of candidates that it counts for */
};

struct rotation {
    struct tail_table table;
    struct turned *turned;
    size_t count, contrasts;
    bool one_sided;
    double *direction;
    double *largest; /* of a rank */
    size_t *reached; /* by how many rotations */
};

static double score_of(const struct rotation *r, const struct diff_item *item, double first,
                       double squares)
{
    double own2 = (squares - first * first) / r->table.df;

    if (item->weight <= 0 || (r->one_sided && first <= 0))
        return -INFINITY;
    return tail_of(&r->table, first * first / fmax(own2, item->floor2)) + log(item->weight);
}

/* As it is, at the worst end of the losses. */
static double true_score(const struct rotation *r, const struct diff_item *item)
{
    double square = item->worst * item->worst;

    return score_of(r, item, item->worst, square + r->table.df * item->own2);
}

static double first_of(const struct diff_item *item)
{
    return item->sign * (item->y[0] - item->shift);
}

static double squares_of(const struct diff_item *item, size_t contrasts)
{
    double first = first_of(item);

    return first * first + diff_squares(item->y, 1, contrasts);
}

/* Steele, Lea and Flood's SplitMix64. */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static void turn(struct rotation *r, uint64_t *state)
{
    double sum = 0;

    for (size_t k = 0; k < r->contrasts; k++) {
        double u = uniform(state);
        r->direction[k] = sqrt(-2 * log(u)) * cos(6.283185307179586 * uniform(state));
        sum += r->direction[k] * r->direction[k];
    }
    for (size_t k = 0; k < r->contrasts; k++)
        r->direction[k] /= sqrt(sum);
}

static double turned_first(const struct rotation *r, const struct diff_item *item)
{
    double first = r->direction[0] * first_of(item);

    for (size_t k = 1; k < r->contrasts; k++)
        first += r->direction[k] * item->sign * item->y[k];
    return first;
}

static void rotate(struct rotation *r, size_t ranks, const double *scores, uint64_t *state)
{
    double largest = -INFINITY;

    turn(r, state);
    for (size_t i = 0; i < ranks; i++)
        r->largest[i] = -INFINITY;
    for (size_t i = 0; i < r->count; i++) {
        const struct turned *t = &r->turned[i];
        double first = turned_first(r, t->item);
        if (first * first >= t->threshold)
            r->largest[t->rank] =
                fmax(r->largest[t->rank], score_of(r, t->item, first, t->squares));
    }
    for (size_t i = ranks; i-- > 0;) {
        largest = fmax(largest, r->largest[i]);
        r->reached[i] += largest >= scores[i];
    }
}

static int by_score(const void *left, const void *right)
{
    const struct turned *l = left, *r = right;

    if (l->score > r->score || r->score > l->score)
        return l->score > r->score ? -1 : 1;
    return l->item < r->item ? -1 : l->item > r->item;
}

/* Of what the rotations may bring, only what reaches the lowest score of a candidate matters. */
static void find_thresholds(struct rotation *r, double lowest)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->count; i++) {
        struct turned t = r->turned[i];
        double t2 = t2_of(&r->table, lowest - log(t.item->weight));
        t.squares = squares_of(t.item, r->contrasts);
        t.threshold = fmax(t2 * t.item->floor2, t.squares * t2 / (r->table.df + t2));
        if (t.threshold <= t.squares)
            r->turned[kept++] = t;
    }
    r->count = kept;
}

/* P. H. Westfall and S. S. Young 1993, step-down, by the rotations of O. Langsrud 2005. */
static bool run_rotations(struct rotation *r, size_t candidates, struct diff_item *items)
{
    double *scores = malloc((candidates + 1) * sizeof(*scores));
    const struct diff_item **order = malloc((candidates + 1) * sizeof(struct diff_item *));
    uint64_t state = seed;
    double largest = 0;

    r->direction = malloc(r->contrasts * sizeof(*r->direction));
    r->largest = malloc((candidates + 1) * sizeof(*r->largest));
    r->reached = calloc(candidates + 1, sizeof(*r->reached));
    bool ok = scores && order && r->direction && r->largest && r->reached;
    for (size_t i = 0; ok && i < r->count; i++) {
        r->turned[i].rank = i < candidates ? i : candidates - 1;
        if (i < candidates) {
            scores[i] = r->turned[i].score;
            order[i] = r->turned[i].item;
        }
    }
    if (ok)
        find_thresholds(r, scores[candidates - 1]);
    for (int k = 0; ok && k < ROTATIONS; k++)
        rotate(r, candidates, scores, &state);
    for (size_t i = 0; ok && i < candidates; i++) {
        largest = fmax(largest, (double)(r->reached[i] + 1) / (ROTATIONS + 1));
        struct diff_item *item = &items[order[i] - items];
        item->adjusted = fmax(item->adjusted, largest);
    }
    free(scores);
    free(order);
    free(r->direction);
    free(r->largest);
    free(r->reached);
    return ok;
}

/* Rows that the first hurdle stops at any error need no second one. */
static const double hopeless = 1;

static bool rotate_all(struct diff_item *items, size_t count, size_t contrasts, bool one_sided)
{
    struct rotation *r = calloc(1, sizeof(*r));
    size_t candidates = 0;

    if (!r)
        return false;
    r->contrasts = contrasts;
    r->one_sided = one_sided;
    r->turned = malloc((count + 1) * sizeof(*r->turned));
    bool ok = r->turned != NULL;
    if (ok)
        fill_table(&r->table, (double)contrasts - 1);
    for (size_t i = 0; ok && i < count; i++) {
        if (items[i].weight > 0)
            r->turned[r->count++] =
                (struct turned){.item = &items[i], .score = true_score(r, &items[i])};
    }
    if (ok && r->count)
        qsort(r->turned, r->count, sizeof(*r->turned), by_score);
    for (size_t i = 0; ok && i < r->count; i++) {
        if (r->turned[i].item->adjusted < hopeless)
            candidates = i + 1;
    }
    if (ok && candidates)
        ok = run_rotations(r, candidates, items);
    free(r->turned);
    free(r);
    return ok;
}

struct member {
    double p; /* divided by the weight */
    struct diff_item *item;
};

static int by_p(const void *left, const void *right)
{
    const struct member *l = left, *r = right;

    if (l->p < r->p || r->p < l->p)
        return l->p < r->p ? -1 : 1;
    return l->item < r->item ? -1 : l->item > r->item;
}

/* S. Holm 1979, weighted: down from the smallest. */
static bool adjust(struct diff_item *items, size_t count)
{
    struct member *members = malloc((count + 1) * sizeof(*members));
    double left = 1, largest = 0;
    size_t used = 0;

    if (!members)
        return false;
    for (size_t i = 0; i < count; i++) {
        items[i].adjusted = 1;
        if (items[i].weight > 0)
            members[used++] = (struct member){.p = items[i].p / items[i].weight, .item = &items[i]};
    }
    if (used)
        qsort(members, used, sizeof(*members), by_p);
    for (size_t k = 0; k < used; k++) {
        largest = fmax(largest, fmin(1, members[k].p * left));
        members[k].item->adjusted = largest;
        left = fmax(0, left - members[k].item->weight);
    }
    free(members);
    return true;
}

bool diff_decide(struct diff_item *items, size_t count, size_t contrasts, bool one_sided)
{
    return adjust(items, count) &&
           (contrasts < 2 || rotate_all(items, count, contrasts, one_sided));
}
