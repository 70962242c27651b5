/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stack of entries for each core and exception, from which exits take their entry. */
#include <trace/calls.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/dedupe.h>
#include <base/string_arena.h>
#include <base/vec.h>

/* Deeper stacks are emptied. */
#define DEPTH_MAX 65536

/* A function of all recordings. Durations are sums relative to the first one, which keeps the
 * deviation exact. */
struct function {
    struct trace_function about; /* its strings are in the arena */
    uint64_t calls, timed, exits;
    int64_t min, max, first;
    double total, self, sum, squares;
    uint32_t active[TRACE_CORES]; /* entries on the stacks of a core */
};

struct frame {
    uint32_t function;
    bool outermost; /* the function was not active before */
    uint64_t caller;
    int64_t begin;
    double below; /* ticks in functions that it called and that interrupted it */
};

/* The entries of a core in one exception, the last one at the end. */
struct stack {
    struct frame *frames; /* owned */
    size_t count, capacity;
    struct stack *interrupted; /* the one that the core left for this one, while it has frames */
};

struct core {
    struct stack *stacks[TRACE_EXCEPTIONS]; /* owned; NULL: no event yet */
    struct stack *current;                  /* of the last event */
    bool timed;
    uint32_t hz;
    bool rated; /* its ticks may be added to the others */
};

struct trace_calls {
    struct function *functions; /* owned */
    size_t count, capacity;
    struct dedupe known;
    struct string_arena strings;
    uint32_t *of_points; /* owned; function of each function of the points */
    size_t of_count, of_capacity;
    unsigned turn; /* of the points */
    struct core cores[TRACE_CORES];
    bool has_clock; /* hz is that of the first core with times */
    uint32_t hz;
    struct trace_calls_state state;
};

struct trace_calls *trace_calls_new(void)
{
    return calloc(1, sizeof(struct trace_calls));
}

void trace_calls_free(struct trace_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < TRACE_CORES * TRACE_EXCEPTIONS; i++) {
        struct stack *s = calls->cores[i / TRACE_EXCEPTIONS].stacks[i % TRACE_EXCEPTIONS];
        if (s)
            free(s->frames);
        free(s);
    }
    free(calls->functions);
    free(calls->of_points);
    dedupe_free(&calls->known);
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
    *new = (struct function){.about = *f};
    new->about.name = string_arena_add(&c->strings, f->name, strlen(f->name));
    new->about.file = string_arena_add(&c->strings, f->file, strlen(f->file));
    if (!new->about.name || !new->about.file ||
        !dedupe_put(&c->known, hash, (uint32_t)c->count, is_same, c, &before))
        return false;
    *index = before == DEDUPE_NONE ? (uint32_t)c->count++ : before;
    return true;
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

/* Takes the last frame off. */
static struct frame pop(struct trace_calls *c, unsigned core, struct stack *s)
{
    struct frame frame = s->frames[--s->count];

    c->functions[frame.function].active[core]--;
    return frame;
}

/* What was entered is not known any more. A function that has no exits at all is not missed. */
static void empty(struct trace_calls *c, unsigned core, struct stack *s, uint64_t *count)
{
    while (s->count != 0) {
        struct frame frame = pop(c, core, s);
        *count += c->functions[frame.function].exits != 0;
    }
    s->interrupted = NULL;
}

static void empty_core(struct trace_calls *c, unsigned core, uint64_t *count)
{
    for (size_t i = 0; i < TRACE_EXCEPTIONS; i++)
        if (c->cores[core].stacks[i])
            empty(c, core, c->cores[core].stacks[i], count);
    c->cores[core].current = NULL;
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

/* The stack of an event. It interrupts the one of the event before, if it is empty. */
static struct stack *stack_of(struct trace_calls *c, const struct trace_point *p)
{
    struct core *core = &c->cores[p->core];
    struct stack *s = core->stacks[p->exception];

    if (!s)
        s = core->stacks[p->exception] = calloc(1, sizeof(*s));
    if (s && s->count == 0 && s != core->current)
        s->interrupted = p->exception != 0 ? core->current : NULL;
    core->current = s;
    return s;
}

static bool enter(struct trace_calls *c, const struct trace_point *p, uint32_t function,
                  int64_t ticks)
{
    struct stack *s = stack_of(c, p);
    struct function *f = &c->functions[function];

    c->state.calls++;
    f->calls++;
    if (!s || !VEC_ROOM(s->frames, s->capacity, s->count, 1))
        return false;
    if (s->count == DEPTH_MAX)
        empty(c, p->core, s, &c->state.unmatched_entries);
    s->frames[s->count++] = (struct frame){.function = function,
                                           .outermost = f->active[p->core]++ == 0,
                                           .caller = p->caller,
                                           .begin = ticks};
    return true;
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
static void add_below(struct core *core, struct stack *s, int64_t ticks)
{
    struct stack *outer = s;

    if (s->count == 0) {
        outer = s->interrupted;
        s->interrupted = NULL;
        if (outer)
            core->current = outer;
    }
    if (outer && outer->count != 0)
        outer->frames[outer->count - 1].below += (double)ticks;
}

/* Finds the entry of an exit: the last one, but for those of functions without exits. What these
 * have called, the one before them has. */
static bool find_entry(struct trace_calls *c, const struct trace_point *p, struct stack *s,
                       uint32_t function, struct frame *entry)
{
    double below = 0;

    while (s->count != 0) {
        const struct frame *last = &s->frames[s->count - 1];
        bool found = last->function == function && last->caller == p->caller;
        if (!found && c->functions[last->function].exits != 0)
            return false;
        *entry = pop(c, p->core, s);
        below = entry->below += below;
        if (found)
            return true;
    }
    return false;
}

static bool leave(struct trace_calls *c, const struct trace_point *p, uint32_t function,
                  int64_t ticks)
{
    struct core *core = &c->cores[p->core];
    struct stack *s = stack_of(c, p);
    struct function *f = &c->functions[function];
    struct frame entry;

    if (!s)
        return false;
    c->state.exits++;
    f->exits++;
    if (!find_entry(c, p, s, function, &entry) || (core->timed && ticks < entry.begin)) {
        c->state.unmatched_exits++;
        empty(c, p->core, s, &c->state.unmatched_entries);
        return true;
    }
    if (!core->timed || !core->rated) {
        c->state.unrated += core->timed;
        return true;
    }
    add_duration(f, &entry, ticks - entry.begin);
    add_below(core, s, ticks - entry.begin);
    return true;
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
    return p->kind == TRACE_EXIT ? leave(c, p, function, e->ticks)
                                 : enter(c, p, function, e->ticks);
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
