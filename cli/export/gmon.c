/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gmon.out of gprof, version 1: samples by address, calls by caller and callee. */
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <profile/divide.h>

#include "formats.h"

enum { TAG_HISTOGRAM = 0, TAG_ARC = 1 };

/* What a bin of the file can hold; gprof adds up records that have the same range. */
#define BIN_MAX 65535

/* So many empty bins are cheaper than another record. */
#define GAP 256

/* No more records are written for what does not fit into bins. */
#define RECORDS_MAX 4000000

struct block {
    uint64_t addr, size, hits;
};

struct arc {
    uint64_t from, self, count;
};

struct gmon {
    struct block *blocks;
    size_t block_count, block_room;
    struct arc *arcs;
    size_t arc_count, arc_room;
    unsigned addr_size; /* bytes */
    bool big_endian;
    uint64_t rate;  /* samples a second, 0: not known */
    uint64_t width; /* bytes of a bin */
};

static void put_number(const struct export *e, uint64_t value, unsigned size)
{
    const struct gmon *g = e->state;

    for (unsigned i = 0; i < size; i++)
        putc((int)(value >> 8 * (g->big_endian ? size - 1 - i : i) & 0xff), e->out);
}

static bool is_calls(const struct export_source *source)
{
    return strcmp(source_type(source)->name, "calls") == 0;
}

/* Where gprof knows functions, bins do not reach over their borders: they are as narrow as its
 * units. Where nothing is known here, they stay as they were. */
static uint64_t width_of(const struct snapshot *s)
{
    bool keep = !snapshot_has_names(s) && s->conditions.block_size > DIVIDE_STEP;

    return keep ? s->conditions.block_size : DIVIDE_STEP;
}

static bool take_source(struct export *e, const struct export_source *source)
{
    const struct snapshot_conditions *c = &source->snapshot->conditions;
    struct gmon *g = e->state;

    if (!snapshot_is_placed(source->snapshot))
        return export_fail(e, EXPORT_EFORMAT,
                           "gmon.out needs addresses, and this profile has none");
    if (c->addr_size != 4 && c->addr_size != 8)
        return export_fail(e, EXPORT_EFORMAT,
                           "gmon.out needs the size of the target's addresses, which is not known; "
                           "give the ELF file with --elf");
    if (g->addr_size && g->addr_size != c->addr_size)
        return export_fail(e, EXPORT_EFORMAT,
                           "the files are of 32-bit and 64-bit targets: convert them separately");
    g->addr_size = (unsigned)c->addr_size;
    g->big_endian |= c->big_endian;
    if (is_calls(source))
        return true;
    g->rate = c->sample_hz <= INT32_MAX ? c->sample_hz : 0;
    g->width = width_of(source->snapshot);
    return true;
}

static bool gmon_begin(struct export *e)
{
    for (size_t i = 0; i < e->source_count; i++) {
        if (!take_source(e, &e->sources[i]))
            return false;
    }
    return true;
}

/* The last address there is. */
static uint64_t highest(const struct gmon *g)
{
    return g->addr_size == 4 ? UINT32_MAX : UINT64_MAX;
}

/* Where it is in the ELF file, which gprof reads together with it. */
static uint64_t addr_of(const struct export_part *part)
{
    return part->addr - snapshot_bias(part->source->snapshot);
}

/* The call's own last bytes are in its function where the place that it returns to is not. What has
 * no names came from a gmon.out, with the latter. */
static uint64_t from_of(const struct export_part *part)
{
    const struct export_frame *caller = &part->frames[part->owner + 1];

    if (part->owner + 1 >= part->depth)
        return 0;
    uint64_t bias = snapshot_bias(part->source->snapshot);
    return (snapshot_has_names(part->source->snapshot) ? caller->addr & ~(uint64_t)1
                                                       : caller->addr + 1) -
           bias;
}

static bool add_arc(struct export *e, const struct export_part *part)
{
    struct gmon *g = e->state;

    if (!VEC_ROOM(g->arcs, g->arc_room, g->arc_count, 1))
        return export_no_memory(e);
    g->arcs[g->arc_count++] =
        (struct arc){.from = from_of(part), .self = addr_of(part), .count = part->value};
    return true;
}

static bool add_block(struct export *e, uint64_t addr, uint64_t size, uint64_t hits)
{
    struct gmon *g = e->state;

    if (hits == 0)
        return true;
    if (!VEC_ROOM(g->blocks, g->block_room, g->block_count, 1))
        return export_no_memory(e);
    g->blocks[g->block_count++] = (struct block){.addr = addr, .size = size, .hits = hits};
    return true;
}

/* Divides hits between steps as divide_portion() does; of few hits, only those that get one are
 * looked at. */
static bool add_steps(struct export *e, uint64_t addr, uint64_t hits, uint64_t steps)
{
    uint64_t width = ((const struct gmon *)e->state)->width;

    for (uint64_t i = 0; hits >= steps && i < steps; i++) {
        if (!add_block(e, addr + i * DIVIDE_STEP, width, divide_portion(hits, i, 1, steps)))
            return false;
    }
    for (uint64_t hit = 1; hits < steps && hit <= hits; hit++) {
        uint64_t up_to = (hit * steps - steps / 2 + hits - 1) / hits;
        if (!add_block(e, addr + (up_to - 1) * DIVIDE_STEP, width, 1))
            return false;
    }
    return true;
}

static bool sample(struct export *e, const struct export_part *part)
{
    const struct gmon *g = e->state;
    bool wide = part->size > DIVIDE_STEP && g->width == DIVIDE_STEP;
    uint64_t steps = wide ? (part->size + DIVIDE_STEP - 1) / DIVIDE_STEP : 1;
    uint64_t mask = g->width == DIVIDE_STEP ? DIVIDE_STEP - 1 : 0;

    if (part->value == 0)
        return true;
    if (addr_of(part) > highest(g))
        return export_fail(e, EXPORT_EFORMAT, "sample %zu: its address is longer than the target's",
                           part->sample);
    if (is_calls(part->source))
        return add_arc(e, part);
    return add_steps(e, addr_of(part) & ~mask, part->value, steps);
}

static int order_blocks(const void *a, const void *b)
{
    const struct block *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

static void merge_blocks(struct gmon *g)
{
    size_t kept = 0;

    if (g->block_count == 0)
        return;
    qsort(g->blocks, g->block_count, sizeof(*g->blocks), order_blocks);
    for (size_t i = 1; i < g->block_count; i++) {
        if (g->blocks[i].addr == g->blocks[kept].addr)
            g->blocks[kept].hits += g->blocks[i].hits;
        else
            g->blocks[++kept] = g->blocks[i];
    }
    g->block_count = kept + 1;
}

/* Buckets of an uneven width begin less than a width apart. */
static bool is_even(const struct gmon *g)
{
    for (size_t i = 1; i < g->block_count; i++) {
        if (g->blocks[i].addr - g->blocks[i - 1].addr < g->width)
            return false;
    }
    return true;
}

/* high_pc cannot be behind the last address, but one byte less than a bin's end does no harm. */
static bool is_within(const struct gmon *g)
{
    const struct block *b = g->block_count ? &g->blocks[g->block_count - 1] : NULL;

    return !b || highest(g) - b->addr >= g->width - 1;
}

/* gprof takes no ranges that overlap: each bucket is only its beginning then. */
static void narrow(struct gmon *g)
{
    g->width = DIVIDE_STEP;
    for (size_t i = 0; i < g->block_count; i++)
        g->blocks[i].addr &= ~(uint64_t)(DIVIDE_STEP - 1);
    merge_blocks(g);
}

static void put_header(const struct export *e)
{
    fputs("gmon", e->out);
    put_number(e, 1, 4);
    for (int i = 0; i < 3; i++)
        put_number(e, 0, 4);
}

/* What is counted is only called seconds where it is known how many there are. */
static void put_range(const struct export *e, uint64_t low, uint64_t bins)
{
    const struct gmon *g = e->state;
    uint64_t room = highest(g) - low;
    uint64_t length = bins * g->width;

    put_number(e, TAG_HISTOGRAM, 1);
    put_number(e, low, g->addr_size);
    put_number(e, low + (length < room ? length : room), g->addr_size);
    put_number(e, bins, 4);
    put_number(e, g->rate ? g->rate : 1, 4);
    fwrite(g->rate ? "seconds\0\0\0\0\0\0\0\0s" : "samples\0\0\0\0\0\0\0\0n", 1, 16, e->out);
}

/* How many blocks make one record: without a large gap, and a full bin on its own. */
static size_t run_of(const struct gmon *g, size_t first)
{
    size_t count = 1;

    if (g->blocks[first].hits > BIN_MAX)
        return 1;
    while (first + count < g->block_count) {
        const struct block *next = &g->blocks[first + count];
        uint64_t gap = next->addr - next[-1].addr;
        if (gap > GAP * g->width || gap % g->width != 0 || next->hits > BIN_MAX)
            break;
        count++;
    }
    return count;
}

/* Bytes of an empty bin before a single one at the end of all addresses: from both of them their
 * width can be told. */
static uint64_t lead_of(const struct gmon *g, const struct block *b)
{
    return highest(g) - b->addr < g->width ? g->width : 0;
}

static void put_run(const struct export *e, size_t first, size_t count)
{
    const struct gmon *g = e->state;
    const struct block *b = &g->blocks[first];
    uint64_t at = b->addr - (count == 1 ? lead_of(g, b) : 0);

    put_range(e, at, (b[count - 1].addr - at) / g->width + 1);
    for (size_t i = 0; i < count; i++) {
        for (; at < b[i].addr; at += g->width)
            put_number(e, 0, 2);
        put_number(e, b[i].hits, 2);
        at += g->width;
    }
}

static void put_full(const struct export *e, const struct block *b)
{
    uint64_t lead = lead_of(e->state, b);

    for (uint64_t left = b->hits; left > 0 && !export_is_stopped(e);) {
        uint64_t part = left < BIN_MAX ? left : BIN_MAX;
        put_range(e, b->addr - lead, lead ? 2 : 1);
        if (lead)
            put_number(e, 0, 2);
        put_number(e, part, 2);
        left -= part;
    }
}

static bool fits(const struct gmon *g)
{
    uint64_t records = 0;

    for (size_t i = 0; i < g->block_count; i++)
        records += g->blocks[i].hits / BIN_MAX;
    return records < RECORDS_MAX;
}

static bool put_histogram(struct export *e)
{
    struct gmon *g = e->state;

    merge_blocks(g);
    if (!is_even(g) || !is_within(g))
        narrow(g);
    if (!fits(g))
        return export_fail(e, EXPORT_EFORMAT, "too many hits for the 16-bit counters of gmon.out");
    for (size_t i = 0; i < g->block_count && !export_is_stopped(e);) {
        size_t count = run_of(g, i);
        if (g->blocks[i].hits > BIN_MAX)
            put_full(e, &g->blocks[i]);
        else
            put_run(e, i, count);
        i += count;
    }
    return true;
}

/* Arcs of the same two addresses are added up by gprof. */
static void put_arc(const struct export *e, const struct arc *arc)
{
    const struct gmon *g = e->state;

    for (uint64_t left = arc->count; left > 0 && !export_is_stopped(e);) {
        uint64_t part = left < UINT32_MAX ? left : UINT32_MAX;
        put_number(e, TAG_ARC, 1);
        put_number(e, arc->from, g->addr_size);
        put_number(e, arc->self, g->addr_size);
        put_number(e, part, 4);
        left -= part;
    }
}

static bool end(struct export *e)
{
    const struct gmon *g = e->state;

    put_header(e);
    if (!put_histogram(e))
        return false;
    for (size_t i = 0; i < g->arc_count; i++)
        put_arc(e, &g->arcs[i]);
    return true;
}

static void clean(struct export *e)
{
    struct gmon *g = e->state;

    free(g->blocks);
    free(g->arcs);
}

const struct exporter_ops gmon_ops = {
    .state_size = sizeof(struct gmon),
    .begin = gmon_begin,
    .sample = sample,
    .end = end,
    .clean = clean,
};
