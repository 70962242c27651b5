/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps durations one by one, or counts them in classes whose width grows with them. */
#include <trace/durations.h>

#include <math.h>
#include <stdlib.h>

#include <base/vec.h>

/* Bits of a duration that tell its class, with the highest one. */
#define CLASS_BITS 7

/* A shift of up to 63 - CLASS_BITS, and 2^(CLASS_BITS - 1) classes for each. */
_Static_assert(((64 - CLASS_BITS) << (CLASS_BITS - 1)) + (1 << CLASS_BITS) <= DURATIONS_EXACT,
               "the classes have room where the durations were");

void durations_free(struct durations *durations)
{
    free(durations->cells);
    *durations = (struct durations){.count = 0};
}

bool durations_are_exact(const struct durations *durations)
{
    return durations->count <= DURATIONS_EXACT;
}

static unsigned shift_of(uint64_t ticks)
{
    return ticks >> CLASS_BITS == 0
               ? 0
               : (unsigned)(64 - CLASS_BITS) - (unsigned)__builtin_clzll(ticks);
}

static size_t class_of(uint64_t ticks)
{
    unsigned shift = shift_of(ticks);

    return ((size_t)shift << (CLASS_BITS - 1)) + (size_t)(ticks >> shift);
}

/* The middle of a class: half its width is at most DURATIONS_ERROR of its least duration. */
static double middle_of(size_t class)
{
    if (class >> CLASS_BITS == 0)
        return (double)class;
    unsigned shift = (unsigned)(class >> (CLASS_BITS - 1)) - 1;
    size_t least = class - ((size_t)shift << (CLASS_BITS - 1));

    return ldexp((double)least, (int)shift) + (ldexp(1, (int)shift) - 1) / 2;
}

/* Turns the durations into numbers of the classes. */
static bool make_classes(struct durations *d)
{
    uint64_t *classes = calloc(DURATIONS_EXACT, sizeof(*classes));

    if (!classes)
        return false;
    for (size_t i = 0; i < DURATIONS_EXACT; i++)
        classes[class_of(d->cells[i])]++;
    free(d->cells);
    d->cells = classes;
    return true;
}

static bool keep(struct durations *d, uint64_t ticks)
{
    if (d->count < DURATIONS_EXACT) {
        if (!VEC_ROOM(d->cells, d->capacity, (size_t)d->count, 1))
            return false;
        d->cells[d->count] = ticks;
        d->sorted = false;
        return true;
    }
    if (d->count == DURATIONS_EXACT && !make_classes(d))
        return false;
    d->cells[class_of(ticks)]++;
    return true;
}

bool durations_add(struct durations *durations, int64_t ticks)
{
    struct durations *d = durations;

    if (!keep(d, (uint64_t)ticks))
        return false;
    if (d->count++ == 0)
        d->first = d->min = d->max = ticks;
    d->min = ticks < d->min ? ticks : d->min;
    d->max = ticks > d->max ? ticks : d->max;
    double above = (double)(ticks - d->first);
    d->sum += above;
    d->squares += above * above;
    return true;
}

double durations_mean(const struct durations *durations)
{
    const struct durations *d = durations;

    return d->count != 0 ? (double)d->first + d->sum / (double)d->count : -1;
}

double durations_deviation(const struct durations *durations)
{
    const struct durations *d = durations;
    double n = (double)d->count;

    return d->count > 1 ? sqrt(fmax(0, (d->squares - d->sum * d->sum / n) / (n - 1))) : -1;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void sort(struct durations *d)
{
    if (!d->sorted && d->count != 0)
        qsort(d->cells, (size_t)d->count, sizeof(*d->cells), compare);
    d->sorted = true;
}

/* The middle of a class may be outside of what came. */
static double clamp(const struct durations *d, double ticks)
{
    return fmin(fmax(ticks, (double)d->min), (double)d->max);
}

double durations_quantile(struct durations *durations, double part)
{
    struct durations *d = durations;
    double rank = fmin(fmax(ceil(part * (double)d->count), 1), (double)d->count);
    uint64_t below = 0;
    size_t i = 0;

    if (d->count == 0)
        return -1;
    if (durations_are_exact(d)) {
        sort(d);
        return (double)d->cells[(size_t)rank - 1];
    }
    while (i + 1 < DURATIONS_EXACT && (double)(below += d->cells[i]) < rank)
        i++;
    return clamp(d, middle_of(i));
}

void durations_each(struct durations *durations,
                    void (*use)(void *context, double ticks, uint64_t count), void *context)
{
    struct durations *d = durations;
    bool exact = durations_are_exact(d);
    size_t count = exact ? (size_t)d->count : DURATIONS_EXACT;

    if (exact)
        sort(d);
    for (size_t i = 0, same; i < count; i += same) {
        for (same = 1; exact && i + same < count && d->cells[i + same] == d->cells[i];)
            same++;
        if (exact)
            use(context, (double)d->cells[i], same);
        else if (d->cells[i] != 0)
            use(context, clamp(d, middle_of(i)), d->cells[i]);
    }
}
