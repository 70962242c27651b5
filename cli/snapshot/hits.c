/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A snapshot back to a profile, for the same rows as a live one has. */
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <profile/unsure.h>

#include "contexts.h"
#include "index.h"
#include "store.h"
#include "wanders.h"

/* Rows divide a block by its bytes: more than this could not be multiplied. */
#define HITS_MAX ((int64_t)1 << 47)

static bool is_type(const struct snapshot_type *type, const char *name)
{
    return strcmp(type->name, name) == 0;
}

static uint32_t find_type(const struct snapshot *s, const char *name)
{
    for (size_t i = 0; i < s->type_count; i++) {
        if (is_type(&s->types[i], name))
            return (uint32_t)i;
    }
    return SNAPSHOT_NONE;
}

uint32_t snapshot_choose_type(const struct snapshot *snapshot, const char *name, bool arcs)
{
    if (name)
        return find_type(snapshot, name);
    uint32_t type = find_type(snapshot, arcs ? "calls" : "samples");
    if (type == SNAPSHOT_NONE)
        type = find_type(snapshot, arcs ? "samples" : "calls");
    if (type == SNAPSHOT_NONE && snapshot->default_type[0])
        type = find_type(snapshot, snapshot->default_type);
    return type == SNAPSHOT_NONE ? (uint32_t)snapshot->type_count - 1 : type;
}

static int order_hits(const void *a, const void *b)
{
    const struct profile_hit *x = a, *y = b;
    int order = (x->addr > y->addr) - (x->addr < y->addr);

    return order ? order : (x->caller > y->caller) - (x->caller < y->caller);
}

static uint32_t at_most_32_bits(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* What a profile's block is a sample of. What one run has, another one may have lost. */
static struct profile_hit make_hit(const struct snapshot *s, size_t index, uint64_t hits,
                                   bool callers, uint32_t run)
{
    const struct snapshot_sample *sample = &s->samples[index];
    uint64_t inherited = sample->inherited < hits ? sample->inherited : hits;
    struct profile_hit hit = {.hits = hits,
                              .inherited = at_most_32_bits(inherited),
                              .stamp = 1,
                              .complete =
                                  !sample->partial && (run || !s->run_count || !s->rest.counts)};

    if (sample->depth > 0)
        hit.addr = index_place(s, s->frames[sample->first_frame]);
    if (callers && sample->depth > 1)
        hit.caller = index_place(s, s->frames[sample->first_frame + 1]) + 1;
    return hit;
}

/* Those of one place are one. */
static void merge_hits(struct profile *p)
{
    size_t kept = 0;

    if (p->row_count == 0)
        return;
    qsort(p->rows, p->row_count, sizeof(*p->rows), order_hits);
    for (size_t i = 1; i < p->row_count; i++) {
        struct profile_hit *to = &p->rows[kept];
        if (order_hits(to, &p->rows[i]) != 0) {
            p->rows[++kept] = p->rows[i];
            continue;
        }
        to->hits += p->rows[i].hits;
        to->complete &= p->rows[i].complete;
        to->inherited = at_most_32_bits((uint64_t)to->inherited + p->rows[i].inherited);
    }
    p->row_count = p->used = kept + 1;
}

/* A million samples may be of a thousand places: they are merged now and then. */
static bool add_hit(struct profile *p, size_t *room, const struct profile_hit *hit)
{
    if (p->row_count == *room) {
        merge_hits(p);
        if (p->row_count >= *room / 2 && !VEC_ROOM(p->rows, *room, *room, 1))
            return false;
    }
    p->rows[p->row_count++] = *hit;
    return true;
}

/* A snapshot over a time is one interval. */
static void take_interval(int64_t duration_ns, struct profile *p)
{
    if (duration_ns <= 0)
        return;
    for (size_t i = 0; i < p->row_count; i++) {
        if (p->rows[i].hits > UINT32_MAX)
            return;
    }
    for (size_t i = 0; i < p->row_count; i++)
        p->rows[i].recent = (uint32_t)p->rows[i].hits;
    p->recent = p->attributed;
    p->events = p->heartbeat ? p->heartbeat : at_most_32_bits(p->attributed);
    p->recent_s = (double)duration_ns * 1e-9;
}

static enum decode_source find_source(const struct snapshot *s)
{
    for (int i = 0; i < DECODE_ALL_SOURCES; i++) {
        if (strcmp(s->conditions.sampler, decode_source_name((enum decode_source)i)) == 0)
            return (enum decode_source)i;
    }
    return DECODE_TABLE;
}

static void take_conditions(const struct snapshot *s, uint32_t type, struct profile *p)
{
    const struct snapshot_conditions *c = &s->conditions;

    p->source = find_source(s);
    p->unit = is_type(&s->types[type], "samples") ? DECODE_UNIT_SAMPLES : DECODE_UNIT_CALLS;
    /* Next to sampled blocks, calls are by their exact addresses (gmon.out). */
    bool exact = p->unit == DECODE_UNIT_CALLS && find_type(s, "samples") != SNAPSHOT_NONE;
    p->block_size = exact ? 1 : (unsigned)c->block_size;
    p->headerless = c->headerless || !s->ours;
    p->sample_hz = at_most_32_bits(c->sample_hz);
    p->locked = c->locked;
    p->decays = c->decays;
    p->unsure = profile_unsure_parse(c->unsure);
    p->jittered = c->jittered;
    p->fixed = c->fixed && p->unit == DECODE_UNIT_SAMPLES;
    p->dropped = at_most_32_bits(c->dropped);
    p->ignored = at_most_32_bits(c->ignored);
    p->displaced = at_most_32_bits(c->displaced);
    p->late = at_most_32_bits(c->late);
    p->sleeping = at_most_32_bits(c->sleeping);
    p->other_side = at_most_32_bits(c->other_side);
    p->iterations = at_most_32_bits(c->iterations);
    p->heartbeat = at_most_32_bits(c->events);
    p->batches = at_most_32_bits(c->batches);
    p->spread = (double)c->spread / SNAPSHOT_SPREAD_UNIT;
    p->task_spread = (double)c->task_spread / SNAPSHOT_SPREAD_UNIT;
}

static void take_run(const struct snapshot_run *run, struct profile *p)
{
    p->dropped = at_most_32_bits(run->dropped);
    p->ignored = at_most_32_bits(run->ignored);
    p->sleeping = at_most_32_bits(run->sleeping);
    p->heartbeat = at_most_32_bits(run->events);
    p->iterations = at_most_32_bits(run->iterations);
}

/* NULL: it is one that rows can be made of. */
static const char *check_value(const struct snapshot *s, int64_t value, uint64_t sum)
{
    if (value < 0)
        return "negative: this is a difference, not a profile";
    if (value > HITS_MAX && s->conditions.block_size > 1)
        return "absurd";
    return sum > (uint64_t)INT64_MAX - (uint64_t)value ? "too large to add up" : NULL;
}

static enum snapshot_code take_hits(const struct snapshot *s, uint32_t type, bool callers,
                                    uint32_t run, struct profile *p, char *text, size_t capacity)
{
    size_t room = 0;

    for (size_t i = 0; i < s->sample_count; i++) {
        int64_t value = s->values[i * s->type_count + type];
        if (run && s->samples[i].run != run)
            continue;
        const char *wrong = check_value(s, value, p->attributed);
        if (wrong)
            return snapshot_say(text, capacity, SNAPSHOT_EFORMAT, "sample %zu: its %s are %s", i,
                                s->types[type].name, wrong);
        const struct profile_hit hit = make_hit(s, i, (uint64_t)value, callers, run);
        if (value != 0 && !add_hit(p, &room, &hit))
            return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "out of memory");
        p->attributed += (uint64_t)value;
    }
    merge_hits(p);
    return SNAPSHOT_OK;
}

/* The samples of one run, or of all, with their callers. */
static bool take_stacks(const struct snapshot *s, uint32_t type, uint32_t run, struct profile *p)
{
    uint64_t addrs[PROFILE_STACK_DEPTH];
    bool done = true;

    for (size_t i = 0; done && i < s->sample_count; i++) {
        const struct snapshot_sample *sample = &s->samples[i];
        int64_t value = s->values[i * s->type_count + type];
        size_t depth = sample->depth < PROFILE_STACK_DEPTH ? sample->depth : PROFILE_STACK_DEPTH;
        if ((run && sample->run != run) || depth == 0 || value <= 0)
            continue;
        for (size_t k = 0; k < depth; k++)
            addrs[k] = index_place(s, s->frames[sample->first_frame + k]) + (k > 0);
        done = profile_stacks_add_hits(&p->stacks, addrs, depth, 0, depth < sample->depth,
                                       (uint64_t)value);
    }
    return done;
}

/* Of mprof's own files only what was sampled by halts has more than one caller. */
static bool has_stacks(const struct snapshot *s, const struct profile *p)
{
    return s->ours && p->source == DECODE_HALT;
}

static int compare_addr(const void *a, const void *b)
{
    const struct profile_hit *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Blocks without a sample that may have lost something, behind the rows that there are. */
static bool add_places(const struct snapshot *s, struct profile *p)
{
    size_t hits = p->row_count;
    struct profile_hit *rows = realloc(p->rows, (hits + s->location_count + 1) * sizeof(*rows));

    if (!rows)
        return false;
    p->rows = rows;
    for (size_t i = 0; i < s->location_count; i++) {
        struct profile_hit hit = {.addr = s->locations[i].addr / p->block_size * p->block_size,
                                  .stamp = 1};
        if (p->rest.counts[profile_rest_region(&p->rest, hit.addr)] != 0 &&
            !bsearch(&hit, rows, hits, sizeof(hit), compare_addr))
            rows[p->row_count++] = hit;
    }
    merge_hits(p);
    p->used = hits;
    return true;
}

/* What was lost, if it is known where. */
static bool take_rest(const struct snapshot *s, uint32_t type, uint32_t run, struct profile *p)
{
    const struct profile_rest *rest = run ? &s->runs[run - 1].rest : &s->rest;

    if (type != 0 || !rest->counts || !snapshot_is_placed(s))
        return true;
    return profile_rest_copy(rest, &p->rest) && add_places(s, p);
}

static enum snapshot_code make_profile(const struct snapshot *s, uint32_t type, bool callers,
                                       uint32_t run, struct profile *profile, char *text,
                                       size_t capacity)
{
    struct profile p;

    profile_init(&p);
    take_conditions(s, type, &p);
    if (run)
        take_run(&s->runs[run - 1], &p);
    /* A block is divided caller by caller, and rounded. */
    enum snapshot_code code =
        take_hits(s, type, callers || p.block_size != 1, run, &p, text, capacity);
    bool contexts = is_type(&s->types[type], "samples");
    if (code == SNAPSHOT_OK && has_stacks(s, &p) && !take_stacks(s, type, run, &p))
        code = snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "out of memory");
    if (code == SNAPSHOT_OK &&
        (!take_rest(s, type, run, &p) || (contexts && !contexts_profile(s, run, &p))))
        code = snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "out of memory");
    if (code != SNAPSHOT_OK) {
        profile_free(&p);
        return code;
    }
    if (p.unit == DECODE_UNIT_SAMPLES)
        wanders_profile(s, run, &p);
    int64_t duration_ns = run ? s->runs[run - 1].duration_ns : s->duration_ns;
    take_interval(duration_ns, &p);
    if (p.by_context) {
        take_interval(duration_ns, p.by_context);
        p.by_context->events = p.events;
    }
    *profile = p;
    return SNAPSHOT_OK;
}

enum snapshot_code snapshot_profile(const struct snapshot *snapshot, uint32_t type,
                                    struct profile *profile, char *text, size_t capacity)
{
    return make_profile(snapshot, type, true, 0, profile, text, capacity);
}

enum snapshot_code snapshot_profile_flat(const struct snapshot *snapshot, uint32_t type,
                                         struct profile *profile, char *text, size_t capacity)
{
    return make_profile(snapshot, type, false, 0, profile, text, capacity);
}

enum snapshot_code snapshot_run_profile(const struct snapshot *snapshot, uint32_t type,
                                        uint32_t run, bool callers, struct profile *profile,
                                        char *text, size_t capacity)
{
    return make_profile(snapshot, type, callers, run, profile, text, capacity);
}
