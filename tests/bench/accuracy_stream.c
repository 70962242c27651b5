/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of simulated events, whose counts by function are known. */
#include "accuracy_stream.h"

#include <math.h>

#define TEXT 0x8000000u

/* Mean length of a burst. */
#define BURST 20

/* Steele, Lea and Flood's SplitMix64. */
static uint64_t next(struct simulation *s)
{
    uint64_t z = s->random += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static double uniform(struct simulation *s)
{
    return (double)(next(s) >> 11) * 0x1p-53;
}

static void shuffle_weights(struct simulation *s)
{
    for (size_t i = FUNCTIONS - 1; i > 0; i--) {
        size_t j = (size_t)(uniform(s) * (double)(i + 1));
        double weight = s->functions[i].weight;
        s->functions[i].weight = s->functions[j].weight;
        s->functions[j].weight = weight;
    }
}

/* Lets the function at that place of the heap sink to where it belongs. */
static void sink(struct simulation *s, size_t at)
{
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= FUNCTIONS)
            return;
        if (child + 1 < FUNCTIONS && s->due[child + 1]->due < s->due[child]->due)
            child++;
        if (s->due[at]->due <= s->due[child]->due)
            return;
        struct function *other = s->due[at];
        s->due[at] = s->due[child];
        s->due[child] = other;
        at = child;
    }
}

static void begin_turns(struct simulation *s)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        s->due[i] = &s->functions[i];
    for (size_t i = FUNCTIONS; i-- > 0;)
        sink(s, i);
}

void start_simulation(struct simulation *s, const struct stream *stream, uint64_t seed)
{
    uint32_t addr = TEXT;
    double sum = 0;

    s->random = seed * 1000003;
    for (size_t i = 0; i < FUNCTIONS; i++)
        s->functions[i].weight = pow((double)(i + 1), -stream->zipf);
    shuffle_weights(s);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        struct function *f = &s->functions[i];
        f->addr = addr;
        f->size = (uint32_t)(32 * exp2(5 * uniform(s))) & ~1u;
        f->hot = (uint32_t)(uniform(s) * f->size) / 2;
        f->due = uniform(s) / f->weight;
        f->truth = 0;
        addr += (f->size + 3) & ~3u;
        s->sums[i] = sum += f->weight;
    }
    begin_turns(s);
}

static struct function *pick(struct simulation *s)
{
    double at = uniform(s) * s->sums[FUNCTIONS - 1];
    size_t low = 0, high = FUNCTIONS - 1;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->sums[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return &s->functions[low];
}

/* Each function comes after equal times, the more often the heavier it is. */
static struct function *take_turn(struct simulation *s)
{
    struct function *first = s->due[0];

    first->due += 1 / first->weight;
    sink(s, 0);
    return first;
}

struct function *next_function(struct simulation *s, enum order order, struct function *current)
{
    if (order == ROUND_ROBIN)
        return take_turn(s);
    if (order == BURSTY && current && uniform(s) > 1.0 / BURST)
        return current;
    return pick(s);
}

uint32_t place_in(struct simulation *s, const struct function *f)
{
    bool looping = uniform(s) < 0.8;
    uint32_t start = looping ? f->hot : 0;
    uint32_t size = looping ? f->size / 8 + 16 : f->size;
    uint32_t at = start + (uint32_t)(uniform(s) * size);

    return f->addr + (at < f->size ? at : f->size - 1);
}

size_t function_at(const struct simulation *s, uint64_t addr)
{
    size_t low = 0, high = FUNCTIONS - 1;

    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (s->functions[middle].addr <= addr)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
