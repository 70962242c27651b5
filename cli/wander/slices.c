/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits of each place from poll to poll, and their cosine coefficients. */
#include <wander/wander.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

/* Slices that are kept; when they are full, each two neighbours become one. */
#define SLICES 32
/* With fewer slices than cosines need, half as many cosines as slices; with fewer still, none. */
#define SLICES_FULL  (2 * WANDER_COSINES)
#define SLICES_LEAST (2 * WANDER_LEAST)

#define PLACES_MAX 65536
#define BUCKETS    256 /* at first */

struct sliced {
    struct wander_place place;
    uint32_t next; /* index + 1 of the next one in its bucket; 0: none */
    uint32_t hits[SLICES];
};

struct slices {
    struct sliced *places;
    size_t count, capacity;
    uint32_t *buckets;    /* index + 1 of the first place in each; 0: none */
    size_t bucket_count;  /* a power of two */
    uint64_t total;       /* of all hits, which has 32 bits */
    unsigned used;        /* slices with hits, the present one included */
    unsigned polls, each; /* in the present slice; in each of the others */
    bool broken;          /* no memory, or too many places or hits */
};

struct slices *slices_new(void)
{
    struct slices *s = calloc(1, sizeof(*s));

    if (s)
        slices_clear(s);
    return s;
}

void slices_free(struct slices *slices)
{
    if (!slices)
        return;
    free(slices->places);
    free(slices->buckets);
    free(slices);
}

void slices_clear(struct slices *slices)
{
    if (!slices)
        return;
    if (slices->buckets)
        memset(slices->buckets, 0, slices->bucket_count * sizeof(*slices->buckets));
    slices->count = 0;
    slices->total = 0;
    slices->used = 1;
    slices->polls = 0;
    slices->each = 1;
    slices->broken = false;
}

/* Fibonacci hashing: the upper bits of a product with 2^64 over the golden ratio. */
static uint32_t *bucket_of(const struct slices *s, const struct wander_place *p)
{
    uint64_t bits = p->addr ^ p->caller << 20 ^ (uint64_t)p->exception << 40;
    uint64_t mixed = bits * 0x9E3779B97F4A7C15u;

    return &s->buckets[(mixed >> 32) & (s->bucket_count - 1)];
}

static void link_place(struct slices *s, size_t index)
{
    struct sliced *sliced = &s->places[index];
    uint32_t *bucket = bucket_of(s, &sliced->place);

    sliced->next = *bucket;
    *bucket = (uint32_t)index + 1;
}

static bool make_buckets(struct slices *s)
{
    size_t count = s->bucket_count ? 2 * s->bucket_count : BUCKETS;
    uint32_t *buckets = calloc(count, sizeof(*buckets));

    if (!buckets)
        return false;
    free(s->buckets);
    s->buckets = buckets;
    s->bucket_count = count;
    for (size_t i = 0; i < s->count; i++)
        link_place(s, i);
    return true;
}

static struct sliced *add_place(struct slices *s, const struct wander_place *place)
{
    if (s->count == PLACES_MAX || !VEC_ROOM(s->places, s->capacity, s->count, 1) ||
        (s->count >= s->bucket_count && !make_buckets(s)))
        return NULL;
    s->places[s->count] = (struct sliced){.place = *place};
    link_place(s, s->count);
    return &s->places[s->count++];
}

static struct sliced *find_place(struct slices *s, const struct wander_place *place)
{
    uint32_t at = s->count ? *bucket_of(s, place) : 0;

    while (at != 0) {
        struct sliced *sliced = &s->places[at - 1];
        if (wander_place_compare(&sliced->place, place) == 0)
            return sliced;
        at = sliced->next;
    }
    return add_place(s, place);
}

/* Each two neighbours become one. */
static void join_slices(struct slices *s)
{
    for (size_t i = 0; i < s->count; i++) {
        uint32_t *hits = s->places[i].hits;
        for (unsigned k = 0; k < SLICES / 2; k++)
            hits[k] = hits[2 * k] + hits[2 * k + 1];
        memset(hits + SLICES / 2, 0, SLICES / 2 * sizeof(*hits));
    }
    s->used = SLICES / 2;
    s->each *= 2;
}

/* The present slice is complete, and the next hits are of a new one. */
static void begin_slice(struct slices *s)
{
    if (s->used == SLICES)
        join_slices(s);
    s->used++;
    s->polls = 0;
}

bool slices_add(struct slices *slices, struct wander_place place, uint64_t hits)
{
    if (!slices->broken && slices->polls >= slices->each)
        begin_slice(slices);
    struct sliced *sliced = slices->broken ? NULL : find_place(slices, &place);

    slices->broken = !sliced || hits > UINT32_MAX - slices->total;
    if (slices->broken)
        return false;
    sliced->hits[slices->used - 1] += (uint32_t)hits;
    slices->total += hits;
    return true;
}

void slices_end_poll(struct slices *slices)
{
    slices->polls++;
}

/* The factors of the hits of a slice: sqrt(2) cos(pi j t). */
struct factors {
    double of[SLICES][WANDER_COSINES];
};

/* A slice is at the time of its middle. */
static void fill_factors(const struct slices *s, unsigned cosines, struct factors *f)
{
    double totals[SLICES] = {0}, all = 0, before = 0;

    for (size_t i = 0; i < s->count; i++)
        for (unsigned k = 0; k < s->used; k++)
            totals[k] += s->places[i].hits[k];
    for (unsigned k = 0; k < s->used; k++)
        all += totals[k];
    for (unsigned k = 0; k < s->used; k++) {
        double time = (before + totals[k] / 2) / all;
        for (unsigned j = 0; j < cosines; j++)
            f->of[k][j] = sqrt(2) * cos(acos(-1) * (j + 1) * time);
        before += totals[k];
    }
}

static int order_rows(const void *a, const void *b)
{
    const struct wander_row *x = a, *y = b;

    return wander_place_compare(&x->place, &y->place);
}

static unsigned cosines_of(const struct slices *s)
{
    if (s->broken || s->used < SLICES_LEAST)
        return 0;
    return s->used < SLICES_FULL ? s->used / 2 : WANDER_COSINES;
}

static struct wander_row row_of(const struct sliced *sliced, unsigned slices, unsigned cosines,
                                const struct factors *f)
{
    struct wander_row row = {.place = sliced->place};

    for (unsigned k = 0; k < slices; k++) {
        row.wander.hits += sliced->hits[k];
        for (unsigned j = 0; sliced->hits[k] && j < cosines; j++)
            row.wander.cosine[j] += f->of[k][j] * sliced->hits[k];
    }
    return row;
}

void slices_wander(const struct slices *slices, struct wander_list *out)
{
    unsigned cosines = cosines_of(slices);
    struct wander_row *rows = cosines ? malloc(slices->count * sizeof(*rows)) : NULL;
    struct factors factors;

    *out = (struct wander_list){.count = 0};
    if (!rows)
        return;
    fill_factors(slices, cosines, &factors);
    for (size_t i = 0; i < slices->count; i++)
        rows[i] = row_of(&slices->places[i], slices->used, cosines, &factors);
    qsort(rows, slices->count, sizeof(*rows), order_rows);
    *out = (struct wander_list){.rows = rows, .count = slices->count, .cosines = cosines};
}
