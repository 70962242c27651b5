/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up calls when they begin and end. */
#include <trace/calls.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/dedupe.h>
#include <base/string_arena.h>
#include <base/vec.h>
#include <trace/durations.h>
#include <trace/function_set.h>
#include <trace/spans.h>

/* A function of all recordings, or what a context has of it. */
struct function {
    uint32_t whole;      /* its number in the set */
    const char *context; /* in the arena; "": any, or none */
    unsigned exception, core;
    uint64_t task;
    uint64_t calls, exits;
    uint64_t cut, open; /* calls whose exit is not known; that have not returned at the end */
    double total, self;
    struct durations durations; /* owned */
};

struct core {
    bool timed;
    uint32_t hz;
    bool rated; /* its ticks may be added to the others */
    struct trace_cost cost;
};

struct trace_calls {
    struct function *functions; /* owned */
    size_t count, capacity;
    struct trace_function_set set;
    struct dedupe known;             /* contexts */
    const struct trace_about *split; /* NULL: contexts have no rows of their own */
    struct string_arena strings;
    struct spans *spans; /* owned */
    struct core cores[TRACE_CORES];
    bool has_clock; /* hz is that of the first core with times */
    uint32_t hz;
    struct trace_calls_state state;
};

void trace_calls_split(struct trace_calls *calls, const struct trace_about *about)
{
    calls->split = about;
}

void trace_calls_free(struct trace_calls *calls)
{
    if (!calls)
        return;
    spans_free(calls->spans);
    for (size_t i = 0; i < calls->count; i++)
        durations_free(&calls->functions[i].durations);
    free(calls->functions);
    trace_function_set_free(&calls->set);
    dedupe_free(&calls->known);
    string_arena_free(&calls->strings);
    free(calls);
}

static bool is_same_context(const void *context, uint32_t a, uint32_t b)
{
    const struct trace_calls *c = context;
    const struct function *x = &c->functions[a], *y = &c->functions[b];

    return x->whole == y->whole && x->exception == y->exception && x->core == y->core &&
           x->task == y->task;
}

/* Finds or adds the context of a function. */
static bool take_context(struct trace_calls *c, const struct trace_points *points,
                         const struct trace_event *e, unsigned exception, uint32_t whole,
                         uint32_t *function)
{
    uint64_t task = exception == 0 ? e->task : 0;
    uint64_t hash = hash_number(hash_number(HASH_START, whole), task);
    char text[TRACE_CONTEXT_TEXT];
    uint32_t before;

    hash = hash_number(hash, exception << 8 | e->core);
    if (!VEC_ROOM(c->functions, c->capacity, c->count, 1))
        return false;
    struct function *new = &c->functions[c->count];
    *new = (struct function){.whole = whole, .exception = exception, .core = e->core, .task = task};
    if (!dedupe_put(&c->known, hash, (uint32_t)c->count, is_same_context, c, &before))
        return false;
    *function = before;
    if (before != DEDUPE_NONE)
        return true;
    *function = (uint32_t)c->count++;
    trace_context_name(text, c->split, points, e, exception);
    new->context = string_arena_add(&c->strings, text, strlen(text));
    if (new->context)
        return true;
    new->context = "";
    return false;
}

/* A function that has no contexts has its number in the set. */
static bool take_whole(struct trace_calls *c, uint32_t whole)
{
    if (whole >= c->count && !VEC_ROOM(c->functions, c->capacity, c->count, whole + 1 - c->count))
        return false;
    for (; c->count <= whole; c->count++)
        c->functions[c->count] = (struct function){.whole = (uint32_t)c->count, .context = ""};
    return true;
}

/* What was entered and is not known any more. */
static void count_cut(struct trace_calls *c, uint32_t function, enum span_end end)
{
    struct function *f = &c->functions[function];

    ++*(end == SPAN_OPEN ? &f->open : &f->cut);
}

static bool add_duration(struct trace_calls *c, struct function *f, const struct span *span)
{
    f->total += span->outermost ? (double)span->duration : 0;
    f->self += span->self;
    c->state.rounded |= f->durations.count == DURATIONS_EXACT;
    return durations_add(&f->durations, span->duration);
}

static bool enter(void *calls, const struct span *span)
{
    struct trace_calls *c = calls;

    c->state.calls++;
    c->functions[span->function].calls++;
    return true;
}

static bool leave(void *calls, const struct span *span)
{
    struct trace_calls *c = calls;
    const struct core *core = &c->cores[span->track->core];

    if (span->end != SPAN_RETURNED) {
        count_cut(c, span->function, span->end);
    } else if (!core->timed || !core->rated) {
        c->state.unrated += core->timed;
    } else if (!span->timed) {
        c->state.unmatched_entries++;
        c->state.unmatched_exits++;
    } else {
        c->state.slept_calls += span->slept;
        return add_duration(c, &c->functions[span->function], span);
    }
    return true;
}

static bool count_stray(void *calls, const struct trace_event *event)
{
    struct trace_calls *c = calls;

    (void)event;
    c->state.unmatched_exits++;
    return true;
}

/* Durations are those of the trace's clock, whether or not it goes on. */
static bool take_sleep(void *calls, const struct span_sleep *sleep)
{
    struct trace_calls *c = calls;

    c->state.sleeps += sleep->what == TRACE_ASLEEP;
    if (sleep->seconds >= 0) {
        c->state.known_sleeps++;
        c->state.asleep += sleep->seconds;
    }
    return true;
}

/* The number of the function of an event; its exits are counted before calls end by them. */
static bool number(void *calls, const struct trace_points *points, const struct trace_point *p,
                   const struct trace_event *e, uint32_t *function)
{
    struct trace_calls *c = calls;

    if (!trace_function_set_number(&c->set, points, p->function, function) ||
        !(c->split ? take_context(c, points, e, p->exception, *function, function)
                   : take_whole(c, *function)))
        return false;
    if (p->kind == TRACE_EXIT) {
        c->state.exits++;
        c->functions[*function].exits++;
    }
    return true;
}

/* Times are added up in the unit of the first clock. */
static void take_clock(struct trace_calls *c, const struct trace_event *e)
{
    struct core *core = &c->cores[e->core];

    c->state.hook_cost = fmax(c->state.hook_cost, e->hz != 0 ? e->cost.call / e->hz : e->cost.call);
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

/* Until its clocks are known, the events of a recording have no times. */
static void begin_run(struct trace_calls *c)
{
    for (unsigned core = 0; core < TRACE_CORES; core++)
        c->cores[core].timed = false;
}

/* Events that are no calls, after they have ended calls. */
static bool take_other(void *calls, const struct trace_event *e, int64_t ns)
{
    struct trace_calls *c = calls;

    (void)ns;
    switch (e->kind) {
    case TRACE_CLOCK:
        take_clock(c, e);
        break;
    case TRACE_RUN:
        begin_run(c);
        break;
    case TRACE_RESTART:
        c->state.restarts++;
        break;
    case TRACE_OVERWRITTEN:
    case TRACE_UNFINISHED:
    case TRACE_FULL:
        c->state.lost += e->count;
        break;
    case TRACE_CALL:
    case TRACE_DAMAGED:
    case TRACE_END:
        break;
    }
    return true;
}

struct trace_calls *trace_calls_new(void)
{
    static const struct spans_ops ops = {.number = number,
                                         .enter = enter,
                                         .leave = leave,
                                         .stray = count_stray,
                                         .sleep = take_sleep,
                                         .other = take_other};
    struct trace_calls *c = calloc(1, sizeof(*c));

    if (c)
        c->spans = spans_new(&ops, NULL, c);
    if (c && c->spans)
        return c;
    free(c);
    return NULL;
}

bool trace_calls_put(struct trace_calls *calls, const struct trace_points *points,
                     const struct trace_event *event)
{
    return spans_put(calls->spans, points, event);
}

void trace_calls_end(struct trace_calls *calls)
{
    (void)!spans_end(calls->spans); /* leave() fails only when calls return */
}

static struct trace_call_row row_of(const struct trace_calls *c, struct function *f)
{
    struct durations *d = &f->durations;
    double unit = c->hz != 0 ? 1.0 / c->hz : 1;
    const struct trace_function *about = &c->set.functions[f->whole];
    bool known = d->count != 0;

    return (struct trace_call_row){
        .name = about->name,
        .context = f->context,
        .file = about->file,
        .line = about->line,
        .addr = about->addr,
        .calls = f->calls,
        .timed = d->count,
        .total = known ? f->total * unit : -1,
        .self = known ? fmax(0, f->self) * unit : -1,
        .min = known ? (double)d->min * unit : -1,
        .avg = known ? durations_mean(d) * unit : -1,
        .median = known ? durations_quantile(d, 0.5) * unit : -1,
        .p99 = known ? durations_quantile(d, 0.99) * unit : -1,
        .max = known ? (double)d->max * unit : -1,
        .deviation = d->count > 1 ? durations_deviation(d) * unit : -1,
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
    struct trace_calls_state state = calls->state;

    /* A function that has no exits at all is not missed. */
    for (size_t i = 0; i < calls->count; i++) {
        const struct function *f = &calls->functions[i];
        state.unmatched_entries += f->exits != 0 ? f->cut : 0;
        state.open += f->exits != 0 ? f->open : 0;
    }
    return state;
}
