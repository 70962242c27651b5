/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts samples that mprof takes itself, and makes a profile of them. */
#include <taken/taken.h>

#include <stdio.h>
#include <stdlib.h>

#include "spread.h"

struct taken *taken_new(const struct taken_ops *ops, struct gdbmi_link *link,
                        const struct symtab *symtab, const struct sampler_taking *how)
{
    struct taken *t = calloc(1, sizeof(*t));

    if (!t)
        return NULL;
    *t = (struct taken){.ops = ops, .link = link, .symtab = symtab, .how = *how};
    t->spread = spread_new();
    t->task_spread = spread_new();
    t->resets = gdbmi_link_stats(link).resets;
    if (t->spread && t->task_spread)
        return t;
    spread_free(t->spread);
    spread_free(t->task_spread);
    free(t);
    return NULL;
}

static void forget(struct taken *t)
{
    tally_free(&t->tally);
    profile_tasks_free(t->tasks);
    profile_stacks_free(t->stacks);
    t->tasks = NULL;
    t->stacks = NULL;
    t->asleep = t->halted = t->lockup = t->unknown = 0;
    t->batches = t->seen = t->slept = t->lost = 0;
}

void taken_free(struct taken *taken)
{
    if (!taken)
        return;
    taken->ops->close(taken);
    forget(taken);
    spread_free(taken->spread);
    spread_free(taken->task_spread);
    vectors_free(taken->vectors);
    free(taken);
}

void taken_relink(struct taken *taken, struct gdbmi_link *link)
{
    if (link && link != taken->link)
        taken->resets = gdbmi_link_stats(link).resets;
    taken->link = link;
}

void taken_restart(struct taken *taken)
{
    forget(taken);
    spread_clear(taken->spread);
    spread_clear(taken->task_spread);
    taken->restarted = true;
}

enum sampler_code taken_fail(struct taken *taken, enum gdbmi_code code)
{
    snprintf(taken->text, sizeof(taken->text), "%s", gdbmi_link_error(taken->link)->text);
    return code == GDBMI_ETARGET ? SAMPLER_EREAD : SAMPLER_ELINK;
}

uint64_t taken_task(const struct taken *taken, const unsigned char *bytes)
{
    bool big = symtab_elf(taken->symtab)->big_endian;
    unsigned size = taken->how.task_size;
    uint64_t word = 0;

    for (unsigned i = 0; i < size; i++)
        word = word << 8 | bytes[big ? i : size - 1 - i];
    return word;
}

/* Samples of one function are alike. */
static uint64_t key_of(const struct taken *t, uint64_t pc)
{
    const struct symtab_function *function = symtab_find(t->symtab, pc);

    return function ? function->addr : pc;
}

/* The exception whose handler an address is in, if the core does not say what it handles; 0: none.
 * What a handler calls counts as the task. */
static unsigned handler_of(struct taken *t, uint64_t pc)
{
    if (t->exceptions)
        return 0;
    if (t->vectors_of != t->symtab) {
        vectors_free(t->vectors);
        t->vectors = vectors_new(t->symtab);
        t->vectors_of = t->symtab;
    }
    const struct symtab_function *function = t->vectors ? symtab_find(t->symtab, pc) : NULL;
    unsigned number = function ? vectors_number(t->vectors, function->addr) : 0;
    return number != 0 && !vectors_is_shared(t->vectors, number) ? number : 0;
}

static unsigned context_of(struct taken *t, const struct taken_sample *sample)
{
    if (sample->exception || !sample->has_task)
        return sample->exception;
    unsigned handler = handler_of(t, sample->pc);
    if (handler != 0)
        return handler;
    return profile_tasks_number(&t->tasks, sample->task);
}

static bool add_stack(struct taken *t, const struct taken_sample *sample, uint16_t context)
{
    uint64_t addrs[PROFILE_STACK_DEPTH];
    size_t depth = 1;

    if (!sample->stack)
        return true;
    addrs[0] = sample->pc;
    while (depth <= sample->depth && depth < PROFILE_STACK_DEPTH) {
        addrs[depth] = sample->stack[depth - 1];
        depth++;
    }
    return profile_stacks_add(&t->stacks, addrs, depth, context,
                              sample->cut || sample->depth >= PROFILE_STACK_DEPTH);
}

static bool add_code(struct taken *t, const struct taken_sample *sample)
{
    uint16_t context = (uint16_t)context_of(t, sample);

    return tally_add(&t->tally, sample->pc, context, false) && add_stack(t, sample, context) &&
           spread_add(t->spread, key_of(t, sample->pc)) && spread_add(t->task_spread, context);
}

bool taken_add(struct taken *taken, const struct taken_sample *sample)
{
    switch (sample->kind) {
    case TAKEN_CODE:
        return add_code(taken, sample);
    case TAKEN_ASLEEP:
        taken->asleep++;
        break;
    case TAKEN_HALTED:
        taken->halted++;
        break;
    case TAKEN_LOCKUP:
        taken->lockup++;
        break;
    case TAKEN_UNKNOWN:
        taken->unknown++;
        break;
    }
    return true;
}

enum sampler_code taken_drain(struct taken *taken, enum gdbmi_state *state)
{
    unsigned resets = gdbmi_link_stats(taken->link).resets;

    if (resets != taken->resets)
        taken_restart(taken);
    taken->resets = resets;
    taken->text[0] = '\0';
    enum sampler_code code = taken->ops->batch(taken, state);
    spread_end_batch(taken->spread);
    spread_end_batch(taken->task_spread);
    taken->batches += code == SAMPLER_OK;
    return code;
}

/* Another source, or a target that has restarted: counts begin at zero. */
static void start_run(const struct taken *t, struct profile *p, double now_s)
{
    unsigned restarts = p->restarts + (p->cores != 0 || p->headerless);

    profile_free(p);
    p->restarts = restarts;
    p->source = t->ops->source;
    p->cores = 1;
    p->jittered = true;
    p->from_s = now_s;
}

static bool take_rows(struct taken *t, struct profile *p, bool first)
{
    struct profile_hit *rows = calloc(t->tally.count + 1, sizeof(*rows));

    if (!rows)
        return false;
    for (size_t i = 0; i < t->tally.count; i++) {
        struct tally_entry *entry = &t->tally.entries[i];
        rows[i] = (struct profile_hit){.addr = entry->addr,
                                       .hits = entry->hits,
                                       .recent = first ? 0 : entry->hits - entry->before,
                                       .exception = entry->exception,
                                       .stamp = 1};
        entry->before = entry->hits;
    }
    free(p->rows);
    p->rows = rows;
    p->row_count = t->tally.count;
    return true;
}

static void take_counters(struct taken *t, struct profile *p, bool first)
{
    uint32_t seen = (uint32_t)p->attributed + t->asleep + t->lockup + t->unknown;

    p->events = first ? 0 : seen - t->seen;
    p->slept = first ? 0 : t->asleep - t->slept;
    p->missed = first ? 0 : t->unknown - t->lost;
    p->heartbeat = seen;
    p->sleeping = t->asleep;
    p->dropped = t->unknown;
    p->lockup = t->lockup;
    p->halted = t->halted;
    p->batches = t->batches;
    p->spread = spread_factor(t->spread);
    p->task_spread = spread_factor(t->task_spread);
    p->exceptions = t->exceptions;
    t->seen = seen;
    t->slept = t->asleep;
    t->lost = t->unknown;
}

static bool take_stacks(const struct taken *t, struct profile *p)
{
    struct profile_stacks *stacks;

    if (!profile_stacks_copy(t->stacks, &stacks))
        return false;
    profile_stacks_free(p->stacks);
    p->stacks = stacks;
    return true;
}

/* Samples have tasks, also before the first one was met. */
static bool take_tasks(const struct taken *t, struct profile *p)
{
    static const struct profile_tasks none = {.count = 0};

    return profile_tasks_follow(&p->tasks, t->tasks || t->how.task_size == 0 ? t->tasks : &none);
}

bool taken_update(struct taken *taken, struct profile *profile, double now_s)
{
    struct profile *p = profile;
    bool known = !taken->restarted && !p->ended && !p->headerless && p->cores == 1 &&
                 p->source == taken->ops->source;

    if (!known)
        start_run(taken, p, now_s);
    bool first = p->updated_s <= 0 || p->paused;
    if (!take_rows(taken, p, first) || !take_stacks(taken, p))
        return false;
    profile_add_up(p);
    take_counters(taken, p, first);
    p->recent_s = first ? 0 : now_s - p->updated_s;
    p->updated_s = now_s;
    p->paused = false;
    taken->restarted = false;
    return take_tasks(taken, p);
}

enum sampler_code taken_poll(struct taken *taken, struct profile *profile, double now_s,
                             enum gdbmi_state *state)
{
    enum sampler_code code = taken_drain(taken, state);

    if (code != SAMPLER_OK)
        return code;
    if (*state == GDBMI_STATE_HALTED)
        profile_pause(profile);
    if (!taken_update(taken, profile, now_s))
        return SAMPLER_ENOMEM;
    if (*state == GDBMI_STATE_HALTED)
        profile_pause(profile);
    return SAMPLER_OK;
}
