/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A live profile to a snapshot: what stands in its blocks, and the conditions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <profile/divide.h>
#include <profile/unsure.h>

#include "build.h"
#include "contexts.h"
#include "wanders.h"

struct maker {
    struct builder b;
    const struct profile *profile;
    struct symbol_naming naming;
    uint32_t mapping;
    bool lossy; /* what was lost is known by region */
};

/* What stands at one address. */
struct stand {
    const struct symtab_function *function; /* NULL: not known */
    const char *file;                       /* NULL: not known */
    unsigned line;
    struct symtab_inlined inlined[SYMTAB_INLINED_MAX]; /* the innermost first */
    size_t inlined_count;
};

static struct stand find_place(const struct maker *m, uint64_t addr)
{
    const struct symbol_naming *n = &m->naming;
    struct symtab_line line = {.file = NULL};
    struct stand stand = {.function = n->find ? n->find(n->context, addr) : NULL};

    if (n->find_line && n->find_line(n->context, addr, &line)) {
        stand.file = line.file;
        stand.line = line.line;
    }
    if (stand.function && n->find_inlined)
        stand.inlined_count = n->find_inlined(n->context, addr, stand.inlined, SYMTAB_INLINED_MAX);
    return stand;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_stand(const struct stand *a, const struct stand *b)
{
    if (a->function != b->function || a->line != b->line || !same_text(a->file, b->file) ||
        a->inlined_count != b->inlined_count)
        return false;
    for (size_t i = 0; i < a->inlined_count; i++) {
        if (!same_text(a->inlined[i].name, b->inlined[i].name) ||
            a->inlined[i].call_line != b->inlined[i].call_line)
            return false;
    }
    return true;
}

static uint32_t add_function(struct maker *m, const char *name, const char *symbol,
                             const char *file, int64_t line, uint64_t addr)
{
    const struct snapshot_function f = {.name = store_string(m->b.s, name),
                                        .system_name = store_string(m->b.s, symbol ? symbol : name),
                                        .file = store_string(m->b.s, file),
                                        .start_line = line,
                                        .addr = addr};

    return f.name && f.file ? build_function(&m->b, &f) : SNAPSHOT_NONE;
}

/* The function with the file in which it begins. */
static uint32_t add_home(struct maker *m, const struct symtab_function *function, const char **file)
{
    struct symtab_line start = {.file = NULL};

    if (!m->naming.find_start(m->naming.context, function, &start))
        start = (struct symtab_line){.file = NULL};
    *file = start.file;
    return add_function(m, function->name, function->symbol, start.file, start.line,
                        function->addr);
}

/* Frames of one address, the innermost first. */
#define FRAMES_MAX (SYMTAB_INLINED_MAX + 1)

/* Each has the line of the call that the one before it was; the innermost one where it stands, in
 * the file where that is. */
static bool add_inlined(struct maker *m, const struct stand *stand, struct snapshot_line *frames)
{
    for (size_t i = 0; i < stand->inlined_count; i++) {
        const struct symtab_inlined *f = &stand->inlined[i];
        bool known = i == 0 && stand->file;
        const char *file = known ? stand->file : f->file;
        unsigned line = i == 0 ? stand->line : stand->inlined[i - 1].call_line;
        unsigned start = same_text(file, f->file) ? f->line : 0;
        frames[i].function = add_function(m, f->name, NULL, file, start, 0);
        frames[i].line = line;
        if (frames[i].function == SNAPSHOT_NONE)
            return false;
    }
    return true;
}

/* The format has a file for each function, not for each line: code that stands in another file than
 * its function does, and was not inlined as far as is known, is a frame of its own, with the
 * function's name. */
static bool add_alias(struct maker *m, const struct stand *stand, struct snapshot_line *frame)
{
    const char *name = stand->function ? stand->function->name : NULL;
    const char *symbol = stand->function ? stand->function->symbol : NULL;

    frame->function = add_function(m, name, symbol, stand->file, 0, 0);
    frame->line = stand->line;
    return frame->function != SNAPSHOT_NONE;
}

static bool add_frames(struct maker *m, const struct stand *stand,
                       struct snapshot_line frames[FRAMES_MAX], uint32_t *count)
{
    size_t inner = stand->inlined_count;
    const char *home_file = NULL;
    uint32_t home = SNAPSHOT_NONE;

    memset(frames, 0, FRAMES_MAX * sizeof(*frames));
    *count = 0;
    if (stand->function && (home = add_home(m, stand->function, &home_file)) == SNAPSHOT_NONE)
        return false;
    if (!add_inlined(m, stand, frames))
        return false;
    unsigned line = inner ? stand->inlined[inner - 1].call_line : stand->line;
    if (inner == 0 && stand->file && !(home_file && strcmp(home_file, stand->file) == 0)) {
        if (!add_alias(m, stand, &frames[inner++]))
            return false;
        line = 0;
    }
    *count = (uint32_t)inner;
    if (home != SNAPSHOT_NONE)
        frames[(*count)++] = (struct snapshot_line){.function = home, .line = line};
    return true;
}

static uint32_t add_location(struct maker *m, uint64_t addr, const struct stand *stand, bool folded)
{
    struct snapshot_location location = {.addr = addr, .mapping = m->mapping, .folded = folded};
    struct snapshot_line frames[FRAMES_MAX];

    if (!add_frames(m, stand, frames, &location.line_count))
        return SNAPSHOT_NONE;
    return build_location(&m->b, &location, frames);
}

/* Where a function begins is known by its first location: among those that are reported as addr is.
 */
static bool add_start(struct maker *m, const struct symtab_function *function, uint64_t addr)
{
    struct stand stand;

    if (!function)
        return true;
    uint64_t start = function->addr + (addr - naming_place(&m->naming, addr));
    stand = find_place(m, start);
    if (stand.function != function)
        return true;
    return add_location(m, start, &stand, false) != SNAPSHOT_NONE;
}

/* A run of steps in a block. */
struct part {
    struct stand stand;
    uint64_t addr;
    unsigned steps;
};

static size_t find_parts(const struct maker *m, uint64_t block, struct part *parts)
{
    size_t count = 0;

    for (uint64_t at = 0; at < m->profile->block_size; at += DIVIDE_STEP) {
        struct stand stand = find_place(m, block + at);
        if (count == 0 || !same_stand(&parts[count - 1].stand, &stand))
            parts[count++] = (struct part){.stand = stand, .addr = block + at};
        parts[count - 1].steps++;
    }
    return count;
}

static unsigned steps_of(const struct part *parts, size_t count, const struct stand *like,
                         bool exact)
{
    unsigned steps = 0;

    for (size_t i = 0; i < count; i++) {
        if (exact ? same_stand(&parts[i].stand, like) : parts[i].stand.function == like->function)
            steps += parts[i].steps;
    }
    return steps;
}

/* The line with most bytes of the function with most bytes; one that has no name only where none
 * has. */
static const struct stand *largest(const struct part *parts, size_t count)
{
    const struct stand *best = &parts[0].stand;

    for (size_t i = 1; i < count; i++) {
        const struct stand *s = &parts[i].stand;
        unsigned all = steps_of(parts, count, s, false);
        unsigned most = steps_of(parts, count, best, false);
        if ((s->function != NULL) != (best->function != NULL) ? s->function != NULL
            : all != most                                     ? all > most
                          : s->function == best->function && steps_of(parts, count, s, true) >
                                                                 steps_of(parts, count, best, true))
            best = s;
    }
    return best;
}

/* The block's location, and those of its parts. */
static uint32_t add_block(struct maker *m, uint64_t block, struct part *parts)
{
    size_t count = find_parts(m, block, parts);

    for (size_t i = 0; i < count; i++) {
        uint32_t part = add_location(m, parts[i].addr, &parts[i].stand, false);
        if (part == SNAPSHOT_NONE || !add_start(m, parts[i].stand.function, parts[i].addr))
            return SNAPSHOT_NONE;
        if (count == 1)
            return part;
    }
    return add_location(m, block, largest(parts, count), true);
}

static uint32_t add_caller(struct maker *m, uint64_t caller)
{
    struct stand stand = find_place(m, naming_call(caller));

    if (m->naming.find_caller)
        stand.function = m->naming.find_caller(m->naming.context, caller);
    if (!add_start(m, stand.function, naming_call(caller)))
        return SNAPSHOT_NONE;
    return add_location(m, naming_call(caller), &stand, false);
}

/* hits at that rate, in nanoseconds. */
static int64_t time_of(uint64_t hits, uint32_t hz)
{
    const uint64_t second = 1000000000;

    return (int64_t)(hits / hz * second + (hits % hz * second + hz / 2) / hz);
}

static bool add_hit(struct maker *m, const struct profile_hit *hit, struct part *parts)
{
    struct snapshot_sample sample = {
        .depth = 1, .inherited = hit->inherited, .partial = m->lossy && !hit->complete};
    uint32_t hz = m->profile->sample_hz;
    int64_t values[2] = {(int64_t)hit->hits, hz ? time_of(hit->hits, hz) : 0};
    bool overflow = false;
    uint32_t frames[2];

    frames[0] = add_block(m, hit->addr, parts);
    if (frames[0] == SNAPSHOT_NONE)
        return false;
    if (hit->caller) {
        frames[sample.depth++] = add_caller(m, hit->caller);
        if (frames[1] == SNAPSHOT_NONE)
            return false;
    }
    return build_sample(&m->b, &sample, frames, NULL, values, &overflow);
}

/* A sample with all of its callers. */
static bool add_stack(struct maker *m, const struct profile_stack *stack, struct part *parts)
{
    const uint64_t *addrs = m->profile->stacks->addrs + stack->first;
    struct snapshot_sample sample = {.depth = (uint32_t)stack->depth};
    const int64_t values[2] = {(int64_t)stack->hits};
    uint32_t frames[PROFILE_STACK_DEPTH];
    bool overflow = false;

    for (size_t i = 0; i < stack->depth; i++) {
        frames[i] = i == 0 ? add_block(m, addrs[0], parts) : add_caller(m, addrs[i]);
        if (frames[i] == SNAPSHOT_NONE)
            return false;
    }
    return build_sample(&m->b, &sample, frames, NULL, values, &overflow);
}

/* Stacks are the same samples as the rows, if they are known of all. */
static bool add_samples(struct maker *m, struct part *parts)
{
    const struct profile *p = m->profile;
    bool stacks = p->stacks && profile_stacks_hits(p->stacks) == p->attributed;
    bool done = true;

    for (size_t i = 0; done && stacks && i < p->stacks->count; i++) {
        if (p->stacks->list[i].hits != 0)
            done = add_stack(m, &p->stacks->list[i], parts);
    }
    for (size_t i = 0; done && !stacks && i < p->row_count; i++) {
        if (p->rows[i].hits != 0)
            done = add_hit(m, &p->rows[i], parts);
    }
    return done;
}

static bool copy_texts(struct snapshot *s, const struct snapshot_conditions *from)
{
    struct snapshot_conditions *c = &s->conditions;

    c->tool = store_string(s, from->tool);
    c->elf = store_string(s, from->elf);
    c->identity = store_string(s, from->identity);
    c->target = store_string(s, from->target);
    c->arch = store_string(s, from->arch);
    c->link = store_string(s, from->link);
    c->server = store_string(s, from->server);
    c->address = store_string(s, from->address);
    c->sampler = store_string(s, from->sampler);
    return c->tool && c->elf && c->identity && c->target && c->arch && c->link && c->server &&
           c->address && c->sampler;
}

/* More than any factor that means something, and less than what a file of ours can hold. */
#define SPREAD_MAX 1e15

/* In units of the file. It may be infinite, or no number, after some very few samples. */
static uint64_t spread_of(double spread)
{
    return spread > 0 ? (uint64_t)ceil(fmin(spread * SNAPSHOT_SPREAD_UNIT, SPREAD_MAX)) : 0;
}

static bool take_conditions(struct maker *m, const struct snapshot_about *about)
{
    const struct profile *p = m->profile;
    struct snapshot_conditions c = about->conditions;
    char unsure[PROFILE_UNSURE_TEXT];

    if (!copy_texts(m->b.s, &c))
        return false;
    struct snapshot_conditions *to = &m->b.s->conditions;
    to->sampler = store_string(m->b.s, decode_source_name(p->source));
    to->block_size = p->block_size;
    to->sample_hz = p->sample_hz;
    to->addr_size = c.addr_size;
    to->linked_at = c.linked_at;
    to->dropped = p->dropped;
    to->ignored = p->ignored;
    to->displaced = p->displaced;
    to->late = p->late;
    to->sleeping = p->sleeping;
    to->other_side = p->other_side;
    to->iterations = p->iterations;
    to->events = p->heartbeat;
    to->batches = p->batches;
    to->spread = spread_of(p->spread);
    to->task_spread = spread_of(p->task_spread);
    to->halts = c.halts;
    to->halted_ns = c.halted_ns;
    to->locked = p->locked;
    to->jittered = p->jittered;
    to->fixed = p->fixed;
    to->headerless = p->headerless;
    to->decays = p->decays;
    to->big_endian = c.big_endian;
    profile_unsure_words(p->unsure, unsure);
    to->unsure = store_string(m->b.s, unsure);
    return to->sampler && to->unsure;
}

static bool add_types(struct maker *m)
{
    struct snapshot *s = m->b.s;
    bool calls = m->profile->unit == DECODE_UNIT_CALLS;
    uint32_t hz = m->profile->sample_hz;

    if (!build_type(s, store_string(s, calls ? "calls" : "samples"), store_string(s, "count")))
        return false;
    s->default_type = s->types[0].name;
    if (calls || hz == 0)
        return true;
    s->period = 1000000000 / (int64_t)hz;
    s->period_type = (struct snapshot_type){.name = store_string(s, "time"),
                                            .unit = store_string(s, "nanoseconds")};
    s->default_type = s->period_type.name;
    return build_type(s, s->period_type.name, s->period_type.unit);
}

static bool add_program(struct maker *m, const struct snapshot_about *about)
{
    bool named = m->naming.find != NULL;
    const struct snapshot_mapping mapping = {
        .start = about->program_start,
        .limit = about->program_end,
        .file = store_string(m->b.s, about->program),
        .build_id = store_string(m->b.s, about->build_id),
        .has_functions = named,
        .has_files = named,
        .has_lines = named,
        .has_inlined = named,
    };

    if (!mapping.file || !mapping.build_id)
        return false;
    m->mapping = build_mapping(&m->b, &mapping);
    return m->mapping != SNAPSHOT_NONE;
}

static int order_addr(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The blocks that have a location already, or of which nothing can be lost. NULL: no memory. */
static uint64_t *find_blocks(const struct profile *p, size_t *count)
{
    uint64_t *blocks = malloc((p->row_count + 1) * sizeof(*blocks));

    *count = 0;
    for (size_t i = 0; blocks && i < p->row_count; i++) {
        if (p->rows[i].hits != 0 || p->rows[i].complete)
            blocks[(*count)++] = p->rows[i].addr;
    }
    if (*count)
        qsort(blocks, *count, sizeof(*blocks), order_addr);
    return blocks;
}

/* A function's blocks in regions in which something was lost. */
static bool add_function_blocks(struct maker *m, const struct symtab_function *f,
                                const uint64_t *known, size_t count, struct part *parts)
{
    const struct profile_rest *rest = &m->profile->rest;
    uint64_t size = m->profile->block_size;

    for (uint64_t block = f->addr / size * size; block < f->addr + f->size; block += size) {
        if (rest->counts[profile_rest_region(rest, block)] == 0 ||
            bsearch(&block, known, count, sizeof(block), order_addr))
            continue;
        if (add_block(m, block, parts) == SNAPSHOT_NONE)
            return false;
    }
    return true;
}

/* What was lost, and locations of all code that may have lost it. */
static bool add_lost(struct maker *m, struct part *parts)
{
    size_t known_count, count = 0;
    uint64_t *known = find_blocks(m->profile, &known_count);
    const struct symtab_function *functions =
        m->naming.functions ? m->naming.functions(m->naming.context, &count) : NULL;
    bool done = known && profile_rest_copy(&m->profile->rest, &m->b.s->rest);

    for (size_t i = 0; done && i < count; i++)
        done = add_function_blocks(m, &functions[i], known, known_count, parts);
    free(known);
    return done;
}

/* Whether it can be said by the addresses of the file what was lost. */
static bool is_lossy(const struct maker *m)
{
    const struct symbol_naming *n = &m->naming;

    return profile_rest_sum(&m->profile->rest) != 0 && !(n->aliased && n->aliased(n->context));
}

/* Places come once, also if several cores have rows of them. */
static bool add_wanders(struct maker *m)
{
    const struct wander_list *list = &m->profile->wander;
    bool *taken = calloc(list->count + 1, sizeof(*taken));
    bool done = taken != NULL;

    m->b.s->cosines = list->cosines;
    for (size_t i = 0; done && list->count && i < m->profile->row_count; i++) {
        const struct profile_hit *hit = &m->profile->rows[i];
        const struct wander *wander =
            hit->hits ? wander_list_take(list, profile_place(hit), taken) : NULL;
        done = !wander || wanders_add(m->b.s, hit->addr, wander);
    }
    wanders_finish(m->b.s);
    free(taken);
    return done;
}

static bool fill(struct maker *m, const struct snapshot_about *about)
{
    struct part *parts = malloc((m->profile->block_size / DIVIDE_STEP + 1) * sizeof(*parts));
    bool done = parts && take_conditions(m, about) && add_types(m) && add_program(m, about);

    m->b.s->time_ns = about->time_ns;
    m->b.s->duration_ns = about->duration_ns;
    m->lossy = is_lossy(m);
    done = done && add_samples(m, parts);
    if (done && m->lossy)
        done = add_lost(m, parts);
    for (size_t i = 0; done && i < about->context_count; i++)
        done = contexts_add(m->b.s, &about->contexts[i]);
    done = done && add_wanders(m);
    free(parts);
    return done && build_finish(&m->b);
}

enum snapshot_code snapshot_make(const struct profile *profile, const struct symbol_naming *naming,
                                 const struct snapshot_about *about, struct snapshot **snapshot,
                                 char *text, size_t capacity)
{
    struct maker m = {
        .b = {.s = snapshot_new(), .by_address = true}, .profile = profile, .naming = *naming};

    if (m.b.s)
        m.b.s->ours = true;
    if (!m.b.s || !fill(&m, about)) {
        build_free(&m.b);
        snapshot_free(m.b.s);
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "out of memory for a snapshot");
    }
    *snapshot = m.b.s;
    return SNAPSHOT_OK;
}
