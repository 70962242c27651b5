/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exits take their entries from the stack that they are on. */
#include <trace/spans.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/string_arena.h>
#include <base/vec.h>
#include <trace/sleep.h>

#include "cost.h"
#include "stacks.h"

#define NS_PER_S 1000000000

/* The end of the time line, and of durations on it. */
#define NS_END       (INT64_C(1) << 62)
#define DURATION_END (INT64_C(1) << 60)

/* The clock of a core, and where it is on the time line. */
struct core {
    bool timed;
    uint32_t hz;
    struct trace_cost cost;
    int64_t ticks;                  /* of its last event */
    int64_t last_ns;                /* the same on the time line */
    int64_t base_ns;                /* tick 0 on the time line */
    const struct span_track *track; /* of its last event */
    struct trace_sleeper sleeper;
    uint32_t sleeps;
};

struct track {
    struct span_track about; /* its name is in the arena */
    int64_t last_ns;
};

struct spans {
    struct spans_ops ops;
    const struct trace_about *about;
    void *context;
    struct stacks stacks;
    struct core cores[TRACE_CORES];
    int64_t begin_ns, latest_ns; /* of the recording; of all events */
    struct track **tracks;       /* owned */
    size_t count, capacity;
    struct string_arena strings;
};

struct spans *spans_new(const struct spans_ops *ops, const struct trace_about *about, void *context)
{
    struct spans *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    s->ops = *ops;
    s->about = about;
    s->context = context;
    return s;
}

void spans_free(struct spans *spans)
{
    if (!spans)
        return;
    stacks_free(&spans->stacks);
    for (size_t i = 0; i < spans->count; i++)
        free(spans->tracks[i]);
    free(spans->tracks);
    string_arena_free(&spans->strings);
    free(spans);
}

size_t spans_track_count(const struct spans *spans)
{
    return spans->count;
}

const struct span_track *spans_track_at(const struct spans *spans, size_t index)
{
    return &spans->tracks[index]->about;
}

void trace_context_name(char text[TRACE_CONTEXT_TEXT], const struct trace_about *about,
                        const struct trace_points *points, const struct trace_event *event,
                        unsigned exception)
{
    const struct trace_event *e = event;
    const char *name = trace_exception_name(points, exception);
    char core[40] = "";

    if (about->threads)
        snprintf(core, sizeof(core), "thread %u", e->core);
    else if (about->cores > 1)
        snprintf(core, sizeof(core), "core %u", e->core);
    const char *between = core[0] ? ", " : "";
    const struct trace_name *task = trace_find_name(points, TRACE_TASK, e->task);
    if (exception == 0 && e->has_task && task && task->text[0])
        snprintf(text, TRACE_CONTEXT_TEXT, "task %s%s%s", task->text, between, core);
    else if (exception == 0 && e->has_task)
        snprintf(text, TRACE_CONTEXT_TEXT, "task 0x%" PRIx64 "%s%s", e->task, between, core);
    else if (exception == 0 && core[0])
        snprintf(text, TRACE_CONTEXT_TEXT, "%s", core);
    else if (name || exception == 0)
        snprintf(text, TRACE_CONTEXT_TEXT, "%s%s%s", name ? name : "thread", between, core);
    else
        snprintf(text, TRACE_CONTEXT_TEXT, "exception %u%s%s", exception, between, core);
}

static bool name_track(struct spans *s, const struct trace_points *points,
                       const struct trace_event *e, struct span_track *track)
{
    char text[TRACE_CONTEXT_TEXT];
    bool moves = track->has_task && s->stacks.cores[e->core].shares;

    if (!s->about)
        return true;
    struct trace_about about = *s->about;
    about.cores = moves ? 1 : about.cores; /* it is on none for long */
    trace_context_name(text, &about, points, e, track->exception);
    track->name = string_arena_add(&s->strings, text, strlen(text));
    return track->name != NULL;
}

/* The track of a stack that has had no event yet. */
static bool add_track(struct spans *s, const struct trace_points *points,
                      const struct trace_event *e, struct stack *stack)
{
    unsigned exception = trace_point_at(points, e->point)->exception;

    if (!VEC_ROOM(s->tracks, s->capacity, s->count, 1))
        return false;
    struct track *track = calloc(1, sizeof(*track));
    if (!track)
        return false;
    track->about = (struct span_track){.index = s->count,
                                       .core = e->core,
                                       .exception = exception,
                                       .has_task = exception == 0 && e->has_task,
                                       .task = exception == 0 ? e->task : 0};
    s->tracks[s->count++] = stack->track = track;
    return name_track(s, points, e, &track->about);
}

const struct span_track *spans_last_track(const struct spans *spans, unsigned core)
{
    return spans->cores[core].track;
}

int64_t span_ns(int64_t ticks, uint32_t hz)
{
    int64_t ns = DURATION_END, seconds = hz != 0 ? ticks / hz : 0;

    if (hz == 0 || hz == NS_PER_S)
        ns = ticks;
    else if (seconds < DURATION_END / NS_PER_S && seconds > -DURATION_END / NS_PER_S)
        ns = seconds * NS_PER_S + ticks % hz * NS_PER_S / hz;
    else if (ticks < 0)
        ns = -DURATION_END;
    return ns < -DURATION_END ? -DURATION_END : ns > DURATION_END ? DURATION_END : ns;
}

/* Where a clock goes on from its core's last event. */
static void set_base(struct core *core)
{
    core->base_ns = core->last_ns - span_ns(core->ticks, core->hz);
}

/* The place of an event on the time line. */
static int64_t place(struct spans *s, struct track *track, const struct trace_event *e)
{
    struct core *core = &s->cores[e->core];
    int64_t ns;

    if (!s->ops.timeline)
        return 0;
    ns = core->timed ? core->base_ns + span_ns(e->ticks, core->hz) : s->latest_ns + 1;
    ns = ns < s->begin_ns ? s->begin_ns : ns > NS_END ? NS_END : ns;
    ns = ns < track->last_ns ? track->last_ns : ns;
    track->last_ns = ns;
    core->track = &track->about;
    core->ticks = e->ticks;
    core->last_ns = ns;
    s->latest_ns = s->latest_ns < ns ? ns : s->latest_ns;
    return ns;
}

static bool is_left(const struct spans *s, const struct span *span)
{
    return !s->ops.leave || s->ops.leave(s->context, span);
}

/* Ends the last call of a stack, whose duration is not known. Returns its frame. */
static const struct frame *cut(struct spans *s, struct stack *stack, enum span_end end, int64_t ns,
                               bool *good)
{
    const struct frame *frame = stack_pop(stack);
    const struct span span = {.track = &stack->track->about,
                              .function = frame->function,
                              .caller = frame->caller,
                              .depth = stack->count,
                              .outermost = frame->outermost,
                              .ns = ns,
                              .end = end};

    *good = is_left(s, &span) && *good;
    return frame;
}

/* What was entered is not known any more. */
struct emptying {
    struct spans *spans;
    enum span_end end;
    bool good;
};

static void empty(void *emptying, struct stack *stack)
{
    struct emptying *e = emptying;
    struct track *track = stack->track;

    if (stack->count != 0) {
        const struct core *core = &e->spans->cores[track->about.core];
        track->last_ns = track->last_ns < core->last_ns ? core->last_ns : track->last_ns;
    }
    while (stack->count != 0)
        cut(e->spans, stack, e->end, track->last_ns, &e->good);
    stack->interrupted = NULL;
}

static bool empty_stack(struct spans *s, struct stack *stack)
{
    struct emptying e = {.spans = s, .end = SPAN_LOST, .good = true};

    empty(&e, stack);
    return e.good;
}

static bool empty_core(struct spans *s, unsigned core, enum span_end end)
{
    struct emptying e = {.spans = s, .end = end, .good = true};

    s->cores[core].sleeper = (struct trace_sleeper){.asleep = false};
    stacks_each(&s->stacks, core, empty, &e);
    return e.good;
}

static bool empty_all(struct spans *s, enum span_end end)
{
    bool good = true;

    for (unsigned core = 0; core < TRACE_CORES; core++)
        good = empty_core(s, core, end) && good;
    return good;
}

bool spans_end(struct spans *spans)
{
    return empty_all(spans, SPAN_OPEN);
}

static bool enter(struct spans *s, const struct trace_event *e, const struct trace_point *p,
                  struct stack *stack, uint32_t function)
{
    bool outermost = true;

    if (stack->count == STACK_DEPTH_MAX && !empty_stack(s, stack))
        return false;
    size_t depth = stack->count;
    if (!s->ops.entries_only) {
        struct frame *frame = stack_push(stack, function, p->caller, e->ticks);
        if (!frame)
            return false;
        frame->sleeps = s->cores[e->core].sleeps;
        frame->jumped_to = e->jump;
        outermost = frame->outermost;
    }
    const struct span span = {.track = &stack->track->about,
                              .function = function,
                              .caller = p->caller,
                              .depth = depth,
                              .outermost = outermost,
                              .instant = s->ops.entries_only,
                              .ns = place(s, stack->track, e),
                              .event = e};
    return !s->ops.enter || s->ops.enter(s->context, &span);
}

/* Finds the entry of an exit. Those after it have no exit. What these have called, the one before
 * them has. */
static bool find_entry(struct spans *s, const struct trace_point *p, struct stack *stack,
                       uint32_t function, int64_t ns, struct frame *entry, bool *good)
{
    const struct trace_cost *cost = &s->cores[p->core].cost;
    size_t count = stack->count;
    double below = 0;

    if (count == 0 || !frame_is(&stack->frames[count - 1], function, p->caller))
        count = stack_search(stack, function, p->caller);
    if (count == 0)
        return false;
    while (stack->count > count) {
        const struct frame *inner = cut(s, stack, SPAN_JUMPED, ns, good);
        below += inner->below;
        cost_cut(cost, stack, inner);
    }
    *entry = *stack_pop(stack);
    entry->below += below;
    return true;
}

/* The time is also the caller's, or that of what an exception interrupted. */
static void add_below(struct spans *s, unsigned core, struct stack *stack, int64_t ticks)
{
    struct stack *outer = stack;

    if (stack->count == 0) {
        outer = stack->interrupted;
        stack->interrupted = NULL;
        if (outer)
            s->stacks.cores[core].current = outer;
    }
    if (outer && outer->count != 0)
        outer->frames[outer->count - 1].below += (double)ticks;
}

/* All durations are made here. */
static void set_duration(const struct core *core, const struct stack *stack,
                         const struct frame *entry, int outside, int64_t ticks, struct span *span)
{
    span->slept = core->sleeps != entry->sleeps;
    span->timed = core->timed && ticks >= entry->begin;
    span->hz = core->hz;
    if (!span->timed)
        return;
    span->duration = cost_duration(&core->cost, stack, entry, outside, ticks);
    span->self = (double)span->duration - entry->below;
}

static bool leave(struct spans *s, const struct trace_points *points, const struct trace_event *e,
                  struct stack *stack, uint32_t function)
{
    const struct trace_point *p = trace_point_at(points, e->point);
    int64_t ns = place(s, stack->track, e);
    bool good = true;
    struct frame entry;

    if (!find_entry(s, p, stack, function, ns, &entry, &good))
        return empty_stack(s, stack) && (!s->ops.stray || s->ops.stray(s->context, e));
    cost_exit(&s->cores[p->core].cost, stack, &entry, e);
    struct span span = {.track = &stack->track->about,
                        .function = function,
                        .caller = p->caller,
                        .depth = stack->count,
                        .outermost = entry.outermost,
                        .ns = ns,
                        .event = e,
                        .end = SPAN_RETURNED};
    set_duration(&s->cores[e->core], stack, &entry, trace_function_at(points, p->function)->outside,
                 e->ticks, &span);
    add_below(s, e->core, stack, span.duration);
    return is_left(s, &span) && good;
}

static bool take_sleep(struct spans *s, const struct trace_event *e, const struct trace_point *p,
                       struct track *track)
{
    struct core *core = &s->cores[e->core];
    const struct span_sleep sleep = {.track = &track->about,
                                     .what = p->sleep,
                                     .seconds = trace_sleep_take(&core->sleeper, p, e),
                                     .ns = place(s, track, e),
                                     .event = e};

    core->sleeps += p->sleep == TRACE_ASLEEP;
    return s->ops.sleep(s->context, &sleep);
}

/* A mark does not tell what it interrupts. */
static bool take_mark(struct spans *s, const struct trace_points *points,
                      const struct trace_event *e, const struct trace_point *p)
{
    struct stacks_core *core = &s->stacks.cores[e->core];
    struct stack *current = core->current;
    struct stack *stack = stacks_at(&s->stacks, p->exception, e);

    core->current = current;
    if (!stack || (!stack->track && !add_track(s, points, e, stack)))
        return false;
    if (p->sleep != TRACE_NO_SLEEP)
        return take_sleep(s, e, p, stack->track);
    return s->ops.mark(s->context, &stack->track->about, e, place(s, stack->track, e));
}

static bool take_call(struct spans *s, const struct trace_points *points,
                      const struct trace_event *e)
{
    const struct trace_point *p = trace_point_at(points, e->point);
    uint32_t function = p->function;

    if (p->kind == TRACE_MARK) {
        bool wanted = p->sleep != TRACE_NO_SLEEP ? s->ops.sleep != NULL : s->ops.mark != NULL;
        return !wanted || take_mark(s, points, e, p);
    }
    struct stack *stack = stacks_at(&s->stacks, p->exception, e);
    if (!stack || (!stack->track && !add_track(s, points, e, stack)) ||
        (s->ops.number && !s->ops.number(s->context, points, p, e, &function)))
        return false;
    return p->kind == TRACE_ENTRY ? enter(s, e, p, stack, function)
                                  : leave(s, points, e, stack, function);
}

static bool take_clock(struct spans *s, const struct trace_event *e)
{
    struct core *core = &s->cores[e->core];
    bool goes_on = stacks_take_clock(&s->stacks, e);

    core->cost = e->cost;
    if (core->timed == e->timed && core->hz == e->hz)
        return true;
    bool good = goes_on || empty_core(s, e->core, SPAN_LOST);
    core->timed = e->timed;
    core->hz = e->hz;
    set_base(core);
    return good;
}

/* The clock of a core begins at 0, after ns. */
static void begin_clock(struct core *core, int64_t ns)
{
    core->ticks = 0;
    core->last_ns = ns;
    set_base(core);
}

/* Until its clocks are known, the events of a recording have no times. */
static bool begin_run(struct spans *s)
{
    bool good = empty_all(s, SPAN_OPEN);

    stacks_begin(&s->stacks);
    s->begin_ns = s->latest_ns;
    for (unsigned i = 0; i < TRACE_CORES; i++) {
        s->cores[i].timed = false;
        begin_clock(&s->cores[i], s->begin_ns);
    }
    return good;
}

static bool take_other(struct spans *s, const struct trace_event *e)
{
    switch (e->kind) {
    case TRACE_CLOCK:
        return take_clock(s, e);
    case TRACE_RUN:
        return begin_run(s);
    case TRACE_DAMAGED:
        return empty_all(s, SPAN_LOST);
    case TRACE_CALL:
    case TRACE_END:
        return true;
    case TRACE_RESTART:
    case TRACE_OVERWRITTEN:
    case TRACE_UNFINISHED:
    case TRACE_FULL:
        break;
    }
    bool good = empty_core(s, e->core, SPAN_LOST);
    if (e->kind == TRACE_RESTART)
        begin_clock(&s->cores[e->core], s->cores[e->core].last_ns);
    return good;
}

bool spans_put(struct spans *spans, const struct trace_points *points,
               const struct trace_event *event)
{
    struct spans *s = spans;

    if (event->kind == TRACE_CALL)
        return take_call(s, points, event);
    bool good = take_other(s, event);
    return good &&
           (!s->ops.other || s->ops.other(s->context, event, s->cores[event->core].last_ns));
}
