/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exits take their entries from the stack that they are on. */
#include <trace/calls.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/dedupe.h>
#include <base/string_arena.h>
#include <base/vec.h>

#include "stacks.h"

/* Bytes of the name of a context. */
#define CONTEXT_TEXT 300

/* A function of all recordings, or what a context has of it. Durations are sums relative to the
 * first one, which keeps the deviation exact. */
struct function {
    struct trace_function about; /* its strings are in the arena */
    const char *context;         /* in the arena, too; "": any, or none */
    uint32_t whole;              /* of a context: the function in any */
    unsigned exception, core;
    uint64_t task;
    uint64_t calls, timed, exits;
    int64_t min, max, first;
    double total, self, sum, squares;
};

struct core {
    bool timed;
    uint32_t hz;
    bool rated; /* its ticks may be added to the others */
};

struct trace_calls {
    struct function *functions; /* owned */
    size_t count, capacity;
    struct dedupe known, known_contexts;
    const struct trace_about *split; /* NULL: contexts have no rows of their own */
    struct string_arena strings;
    uint32_t *of_points; /* owned; function of each function of the points */
    size_t of_count, of_capacity;
    unsigned turn; /* of the points */
    struct stacks stacks;
    struct core cores[TRACE_CORES];
    bool has_clock; /* hz is that of the first core with times */
    uint32_t hz;
    struct trace_calls_state state;
};

struct trace_calls *trace_calls_new(void)
{
    return calloc(1, sizeof(struct trace_calls));
}

void trace_calls_split(struct trace_calls *calls, const struct trace_about *about)
{
    calls->split = about;
}

void trace_calls_free(struct trace_calls *calls)
{
    if (!calls)
        return;
    stacks_free(&calls->stacks);
    free(calls->functions);
    free(calls->of_points);
    dedupe_free(&calls->known);
    dedupe_free(&calls->known_contexts);
    string_arena_free(&calls->strings);
    free(calls);
}

static bool is_same(const void *context, uint32_t a, uint32_t b)
{
    const struct trace_calls *c = context;
    const struct trace_function *x = &c->functions[a].about, *y = &c->functions[b].about;

    return x->addr == y->addr && strcmp(x->name, y->name) == 0;
}

/* Finds or adds a function of a recording among those of all. */
static bool add_function(struct trace_calls *c, const struct trace_function *f, uint32_t *index)
{
    uint64_t hash = hash_bytes(hash_number(HASH_START, f->addr), f->name, strlen(f->name));
    uint32_t before;

    if (!VEC_ROOM(c->functions, c->capacity, c->count, 1))
        return false;
    struct function *new = &c->functions[c->count];
    *new = (struct function){.about = *f, .context = ""};
    new->about.name = string_arena_add(&c->strings, f->name, strlen(f->name));
    new->about.file = string_arena_add(&c->strings, f->file, strlen(f->file));
    if (!new->about.name || !new->about.file ||
        !dedupe_put(&c->known, hash, (uint32_t)c->count, is_same, c, &before))
        return false;
    *index = before == DEDUPE_NONE ? (uint32_t)c->count++ : before;
    return true;
}

static bool is_same_context(const void *context, uint32_t a, uint32_t b)
{
    const struct trace_calls *c = context;
    const struct function *x = &c->functions[a], *y = &c->functions[b];

    return x->whole == y->whole && x->exception == y->exception && x->core == y->core &&
           x->task == y->task;
}

/* What a context is called. */
static const char *name_context(struct trace_calls *c, const struct trace_points *points,
                                const struct trace_event *e, unsigned exception)
{
    const char *name = trace_exception_name(points, exception);
    char text[CONTEXT_TEXT], core[40] = "";

    if (c->split->threads)
        snprintf(core, sizeof(core), "thread %u", e->core);
    else if (c->split->cores > 1)
        snprintf(core, sizeof(core), "core %u", e->core);
    const char *between = core[0] ? ", " : "";
    if (exception == 0 && e->has_task)
        snprintf(text, sizeof(text), "task 0x%" PRIx64 "%s%s", e->task, between, core);
    else if (exception == 0 && core[0])
        snprintf(text, sizeof(text), "%s", core);
    else if (name || exception == 0)
        snprintf(text, sizeof(text), "%s%s%s", name ? name : "thread", between, core);
    else
        snprintf(text, sizeof(text), "exception %u%s%s", exception, between, core);
    return string_arena_add(&c->strings, text, strlen(text));
}

/* Finds or adds the context of a function. */
static bool take_context(struct trace_calls *c, const struct trace_points *points,
                         const struct trace_event *e, unsigned exception, uint32_t *function)
{
    uint64_t task = exception == 0 ? e->task : 0;
    uint64_t hash = hash_number(hash_number(HASH_START, *function), task);
    uint32_t before;

    hash = hash_number(hash, exception << 8 | e->core);
    if (!VEC_ROOM(c->functions, c->capacity, c->count, 1))
        return false;
    struct function *new = &c->functions[c->count];
    *new = (struct function){.about = c->functions[*function].about,
                             .whole = *function,
                             .exception = exception,
                             .core = e->core,
                             .task = task};
    if (!dedupe_put(&c->known_contexts, hash, (uint32_t)c->count, is_same_context, c, &before))
        return false;
    *function = before;
    if (before != DEDUPE_NONE)
        return true;
    *function = (uint32_t)c->count++;
    new->context = name_context(c, points, e, exception);
    if (new->context)
        return true;
    new->context = "";
    return false;
}

/* The functions of points that are new. */
static bool take_functions(struct trace_calls *c, const struct trace_points *points)
{
    size_t count = trace_functions_count(points);

    if (c->turn != trace_points_turn(points))
        c->of_count = 0;
    c->turn = trace_points_turn(points);
    if (!VEC_ROOM(c->of_points, c->of_capacity, c->of_count, count - c->of_count))
        return false;
    for (; c->of_count < count; c->of_count++) {
        const struct trace_function *f = trace_function_at(points, (uint32_t)c->of_count);
        if (!add_function(c, f, &c->of_points[c->of_count]))
            return false;
    }
    return true;
}

/* What was entered is not known any more. A function that has no exits at all is not missed. */
struct emptying {
    const struct trace_calls *calls;
    uint64_t *count;
};

static void empty(void *emptying, struct stack *s)
{
    const struct emptying *e = emptying;

    while (s->count != 0)
        *e->count += e->calls->functions[stack_pop(s)->function].exits != 0;
    s->interrupted = NULL;
}

static void empty_core(struct trace_calls *c, unsigned core, uint64_t *count)
{
    struct emptying e = {.calls = c, .count = count};

    stacks_each(&c->stacks, core, empty, &e);
}

static void empty_all(struct trace_calls *c, uint64_t *count)
{
    for (unsigned core = 0; core < TRACE_CORES; core++)
        empty_core(c, core, count);
}

void trace_calls_end(struct trace_calls *calls)
{
    empty_all(calls, &calls->state.open);
}

/* Until its clocks are known, the events of a recording have no times. */
static void begin_run(struct trace_calls *c)
{
    empty_all(c, &c->state.open);
    for (unsigned core = 0; core < TRACE_CORES; core++)
        c->cores[core].timed = false;
}

static bool enter(struct trace_calls *c, const struct trace_point *p, struct stack *s,
                  uint32_t function, int64_t ticks)
{
    struct emptying lost = {.calls = c, .count = &c->state.unmatched_entries};

    c->state.calls++;
    c->functions[function].calls++;
    if (s->count == STACK_DEPTH_MAX)
        empty(&lost, s);
    return stack_push(s, function, p->caller, ticks) != NULL;
}

static void add_duration(struct function *f, const struct frame *frame, int64_t ticks)
{
    if (f->timed == 0)
        f->first = f->min = f->max = ticks;
    f->timed++;
    f->min = ticks < f->min ? ticks : f->min;
    f->max = ticks > f->max ? ticks : f->max;
    f->total += frame->outermost ? (double)ticks : 0;
    f->self += (double)ticks - frame->below;
    double above = (double)(ticks - f->first);
    f->sum += above;
    f->squares += above * above;
}

/* The time is also the caller's, or that of what an exception interrupted. */
static void add_below(struct trace_calls *c, unsigned core, struct stack *s, double ticks)
{
    struct stack *outer = s;

    if (s->count == 0) {
        outer = s->interrupted;
        s->interrupted = NULL;
        if (outer)
            c->stacks.cores[core].current = outer;
    }
    if (outer && outer->count != 0)
        outer->frames[outer->count - 1].below += ticks;
}

/* Finds the entry of an exit. Those after it have no exit: their functions report none, ended by a
 * jump, or were left by longjmp(). What these have called, the one before them has. */
static bool find_entry(struct trace_calls *c, const struct trace_point *p, struct stack *s,
                       uint32_t function, struct frame *entry)
{
    struct emptying lost = {.calls = c, .count = &c->state.unmatched_entries};
    size_t count = s->count;
    double below = 0;

    if (count == 0 || !frame_is(&s->frames[count - 1], function, p->caller))
        count = stack_search(s, function, p->caller);
    if (count == 0) {
        empty(&lost, s);
        return false;
    }
    while (s->count > count) {
        const struct frame *inner = stack_pop(s);
        below += inner->below;
        *lost.count += c->functions[inner->function].exits != 0;
    }
    *entry = *stack_pop(s);
    entry->below += below;
    return true;
}

static void leave(struct trace_calls *c, const struct trace_point *p, struct stack *s,
                  uint32_t function, int64_t ticks)
{
    struct core *core = &c->cores[p->core];
    struct function *f = &c->functions[function];
    struct frame entry;

    c->state.exits++;
    f->exits++;
    if (!find_entry(c, p, s, function, &entry)) {
        c->state.unmatched_exits++;
    } else if (!core->timed || !core->rated) {
        c->state.unrated += core->timed;
    } else if (ticks < entry.begin) {
        c->state.unmatched_entries++;
        c->state.unmatched_exits++;
    } else {
        add_duration(f, &entry, ticks - entry.begin);
        add_below(c, p->core, s, (double)(ticks - entry.begin));
    }
}

/* Times are added up in the unit of the first clock. */
static void take_clock(struct trace_calls *c, const struct trace_event *e)
{
    struct core *core = &c->cores[e->core];

    if (core->timed == e->timed && core->hz == e->hz)
        return;
    empty_core(c, e->core, &c->state.unmatched_entries);
    core->timed = e->timed;
    core->hz = e->hz;
    if (e->timed && !c->has_clock) {
        c->has_clock = true;
        c->hz = e->hz;
        c->state.timed = true;
        c->state.seconds = e->hz != 0;
    }
    core->rated = c->hz == e->hz;
}

static bool take_call(struct trace_calls *c, const struct trace_points *points,
                      const struct trace_event *e)
{
    const struct trace_point *p = trace_point_at(points, e->point);

    if (p->kind == TRACE_MARK)
        return true;
    if ((c->turn != trace_points_turn(points) || p->function >= c->of_count) &&
        !take_functions(c, points))
        return false;
    uint32_t function = c->of_points[p->function];
    struct stack *s = stacks_at(&c->stacks, p->core, p->exception, e->task);
    if (!s || (c->split && !take_context(c, points, e, p->exception, &function)))
        return false;
    if (p->kind == TRACE_ENTRY)
        return enter(c, p, s, function, e->ticks);
    leave(c, p, s, function, e->ticks);
    return true;
}

bool trace_calls_put(struct trace_calls *calls, const struct trace_points *points,
                     const struct trace_event *event)
{
    struct trace_calls *c = calls;

    switch (event->kind) {
    case TRACE_CALL:
        return take_call(c, points, event);
    case TRACE_CLOCK:
        take_clock(c, event);
        return true;
    case TRACE_RUN:
        begin_run(c);
        return true;
    case TRACE_END:
        return true;
    case TRACE_RESTART:
        c->state.restarts++;
        break;
    case TRACE_DAMAGED:
        empty_all(c, &c->state.unmatched_entries);
        return true;
    case TRACE_OVERWRITTEN:
    case TRACE_UNFINISHED:
    case TRACE_FULL:
        c->state.lost += event->count;
        break;
    }
    empty_core(c, event->core, &c->state.unmatched_entries);
    return true;
}

static struct trace_call_row row_of(const struct trace_calls *c, const struct function *f)
{
    double unit = c->hz != 0 ? 1.0 / c->hz : 1, n = (double)f->timed;
    bool known = f->timed != 0;
    double variance = f->timed > 1 ? (f->squares - f->sum * f->sum / n) / (n - 1) : 0;

    return (struct trace_call_row){
        .name = f->about.name,
        .context = f->context,
        .file = f->about.file,
        .line = f->about.line,
        .addr = f->about.addr,
        .calls = f->calls,
        .timed = f->timed,
        .total = known ? f->total * unit : -1,
        .self = known ? fmax(0, f->self) * unit : -1,
        .min = known ? (double)f->min * unit : -1,
        .avg = known ? ((double)f->first + f->sum / n) * unit : -1,
        .max = known ? (double)f->max * unit : -1,
        .deviation = f->timed > 1 ? sqrt(fmax(0, variance)) * unit : -1,
        .seconds = c->state.seconds,
    };
}

struct trace_call_row *trace_calls_rows(const struct trace_calls *calls, size_t *count)
{
    struct trace_call_row *rows = calloc(calls->count + 1, sizeof(*rows));

    *count = 0;
    for (size_t i = 0; rows && i < calls->count; i++)
        if (calls->functions[i].calls != 0)
            rows[(*count)++] = row_of(calls, &calls->functions[i]);
    return rows;
}

struct trace_calls_state trace_calls_state(const struct trace_calls *calls)
{
    return calls->state;
}
