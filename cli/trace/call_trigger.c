/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls are on stacks if some duration is asked for: the hooks of all are in it. */
#include <trace/call_trigger.h>

#include <stdlib.h>

#include <base/vec.h>

#include "cost.h"
#include "held.h"
#include "stacks.h"

/* What was chosen for a point. */
struct choice {
    bool asked;
    struct trace_moments start, stop;
};

struct call_trigger {
    struct call_trigger_rules rules;
    const struct trace_points *points;
    struct choice *choices; /* owned; of each point */
    size_t count, capacity;
    unsigned turn; /* of the points */
    struct stacks stacks;
    double rates[TRACE_CORES]; /* ticks a second, 0: not known */
    struct trace_cost costs[TRACE_CORES];
    bool returns; /* an exit has come */
    struct call_trigger_state state;
};

struct call_trigger *call_trigger_new(const struct call_trigger_rules *rules,
                                      const struct trace_points *points)
{
    struct call_trigger *t = calloc(1, sizeof(*t));

    if (!t)
        return NULL;
    t->rules = *rules;
    t->points = points;
    t->turn = trace_points_turn(points);
    return t;
}

void call_trigger_free(struct call_trigger *trigger)
{
    if (!trigger)
        return;
    stacks_free(&trigger->stacks);
    free(trigger->choices);
    free(trigger);
}

struct call_trigger_state call_trigger_state(const struct call_trigger *trigger)
{
    return trigger->state;
}

static void empty(void *context, struct stack *s)
{
    (void)context;
    while (s->count != 0)
        (void)stack_pop(s);
    s->interrupted = NULL;
}

static void forget_calls(struct call_trigger *t)
{
    for (unsigned core = 0; core < TRACE_CORES; core++)
        stacks_each(&t->stacks, core, empty, NULL);
}

/* Returns NULL if memory runs out. */
static const struct choice *choice_of(struct call_trigger *t, uint32_t point)
{
    if (t->turn != trace_points_turn(t->points)) {
        t->turn = trace_points_turn(t->points);
        t->count = 0;
        forget_calls(t);
    }
    if (point >= t->count) {
        size_t count = trace_points_count(t->points);
        if (!VEC_ROOM(t->choices, t->capacity, t->count, count - t->count))
            return NULL;
        while (t->count < count)
            t->choices[t->count++] = (struct choice){.asked = false};
    }
    struct choice *c = &t->choices[point];
    if (!c->asked)
        t->rules.choose(t->rules.context, trace_point_at(t->points, point), &c->start, &c->stop);
    c->asked = true;
    return c;
}

static bool enter(struct stack *s, const struct trace_point *p, const struct trace_event *e)
{
    if (s->count == STACK_DEPTH_MAX)
        empty(NULL, s);
    struct frame *frame = stack_push(s, p->function, p->caller, e->ticks);
    if (frame)
        frame->jumped_to = e->jump;
    return frame != NULL;
}

/* Returns the ticks that the call took which ends, without its hooks, < 0: not known. */
static int64_t leave(const struct call_trigger *t, struct stack *s, const struct trace_point *p,
                     const struct trace_event *e)
{
    const struct trace_cost *cost = &t->costs[p->core];
    size_t count = stack_search(s, p->function, p->caller);

    while (s->count > count && count != 0) /* they were left by a jump */
        cost_cut(cost, s, stack_pop(s));
    if (count == 0)
        return -1;
    struct frame *frame = stack_pop(s);
    cost_exit(cost, s, frame, e);
    return cost_duration(cost, s, frame, trace_function_at(t->points, p->function)->outside,
                         e->ticks);
}

static bool is_now(const struct trace_moments *m, const struct trace_point *p, int64_t ticks,
                   double rate)
{
    if (p->kind == TRACE_ENTRY)
        return m->entry;
    return m->exit || (m->longer && ticks >= 0 && (double)ticks > m->longer_s * rate);
}

static int take_call(struct call_trigger *t, const struct trace_point *p,
                     const struct trace_event *e, bool *wanted)
{
    const struct choice *c = choice_of(t, e->point);
    int64_t ticks = -1;

    if (!c)
        return TRACE_NO_MEMORY;
    bool longer = c->start.longer || c->stop.longer;
    if (longer || (t->rules.needs_seconds && t->costs[p->core].call > 0)) {
        struct stack *s = stacks_at(&t->stacks, p->exception, e);
        if (!s || (p->kind == TRACE_ENTRY && !enter(s, p, e)))
            return TRACE_NO_MEMORY;
        if (p->kind == TRACE_EXIT)
            ticks = leave(t, s, p, e);
        t->state.untimed += longer && p->kind == TRACE_EXIT && ticks < 0;
    }
    if (is_now(&c->start, p, ticks, t->rates[p->core])) {
        t->state.started = true;
        t->state.stopped = false;
    }
    *wanted = !t->state.stopped && (t->state.started || !t->rules.starts);
    if (*wanted && is_now(&c->stop, p, ticks, t->rates[p->core]))
        t->state.stopped = t->state.ended = true;
    return 0;
}

/* What is not a call may be a gap, or change what times mean. */
static void take_other(struct call_trigger *t, const struct trace_event *e)
{
    if (e->kind == TRACE_RUN || e->kind == TRACE_END || e->kind == TRACE_DAMAGED) {
        forget_calls(t);
        if (e->kind == TRACE_RUN)
            stacks_begin(&t->stacks);
        return;
    }
    if (e->kind != TRACE_CLOCK || !stacks_take_clock(&t->stacks, e))
        stacks_each(&t->stacks, e->core, empty, NULL);
    if (e->kind == TRACE_CLOCK) {
        t->rates[e->core] = e->timed ? e->hz : 0;
        t->costs[e->core] = e->cost;
    }
}

/* Whether the trace lacks what is needed. A function may call many before one of them returns. */
static int check(struct call_trigger *t, const struct trace_point *p)
{
    t->returns |= p->kind == TRACE_EXIT;
    t->state.entries = t->rules.needs_exits && !t->returns ? t->state.entries + 1 : 0;
    if (t->state.entries > HELD_MAX)
        return TRACE_NO_EXITS;
    return t->rules.needs_seconds && t->rates[p->core] <= 0 ? TRACE_NO_RATE : 0;
}

int call_trigger_put(struct call_trigger *trigger, const struct trace_event *event, bool *wanted)
{
    struct call_trigger *t = trigger;
    const struct trace_point *p =
        event->kind == TRACE_CALL ? trace_point_at(t->points, event->point) : NULL;

    *wanted = !p || (!t->state.stopped && (t->state.started || !t->rules.starts));
    if (!p)
        take_other(t, event);
    if (!p || p->kind == TRACE_MARK)
        return 0;
    int status = check(t, p);
    return status == 0 ? take_call(t, p, event, wanted) : status;
}
