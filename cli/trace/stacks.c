/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the stack of an event. */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

static void free_stack(struct stack *s)
{
    free(s->frames);
    free(s->entries);
}

static void free_lanes(struct lanes *lanes)
{
    for (size_t i = 0; i < lanes->count; i++) {
        free_stack(&lanes->all[i]->stack);
        free(lanes->all[i]->active);
        free(lanes->all[i]);
    }
    free(lanes->all);
}

static void free_core(struct stacks_core *c)
{
    for (size_t i = 0; i < TRACE_EXCEPTIONS; i++) {
        if (c->exceptions[i])
            free_stack(c->exceptions[i]);
        free(c->exceptions[i]);
    }
    free_lanes(&c->own);
}

void stacks_free(struct stacks *stacks)
{
    for (size_t i = 0; i < TRACE_CORES; i++)
        free_core(&stacks->cores[i]);
    free_lanes(&stacks->shared);
}

void stacks_begin(struct stacks *stacks)
{
    for (size_t i = 0; i < TRACE_CORES; i++)
        stacks->cores[i].clocked = false;
}

bool stacks_take_clock(struct stacks *stacks, const struct trace_event *clock)
{
    struct stacks_core *c = &stacks->cores[clock->core];
    bool goes_on = !c->clocked && clock->one_clock;

    if (c->shares != clock->one_clock)
        c->lane = NULL;
    c->clocked = true;
    c->shares = clock->one_clock;
    return goes_on;
}

/* Finds or adds the lane of a task. */
static struct lane *lane_of(struct lanes *lanes, uint64_t task)
{
    struct lanes *l = lanes;
    size_t i = 0;

    while (i < l->count && l->all[i]->task != task)
        i++;
    if (i < l->count)
        return l->all[i];
    if (i == STACK_TASKS_MAX)
        return l->all[i - 1];
    if (!VEC_ROOM(l->all, l->capacity, l->count, 1))
        return NULL;
    struct lane *lane = calloc(1, sizeof(*lane));
    if (lane) {
        lane->task = task;
        lane->stack.lane = lane;
        l->all[l->count++] = lane;
    }
    return lane;
}

struct stack *stacks_find(struct stacks *stacks, unsigned exception,
                          const struct trace_event *event)
{
    struct stacks_core *c = &stacks->cores[event->core];
    struct lanes *lanes = c->shares && event->has_task ? &stacks->shared : &c->own;
    struct stack *s = c->exceptions[exception];

    if (exception == 0 || !s || s->count == 0) {
        struct lane *lane =
            c->lane && c->lane->task == event->task ? c->lane : lane_of(lanes, event->task);
        if (!lane)
            return NULL;
        c->lane = lane;
        if (exception == 0)
            s = &lane->stack;
        else if (!s)
            s = c->exceptions[exception] = calloc(1, sizeof(*s));
        if (s)
            s->lane = lane;
    }
    if (s && s->count == 0 && s != c->current)
        s->interrupted = exception != 0 ? c->current : NULL;
    c->current = s;
    return s;
}

bool stack_grow(struct stack *stack, uint32_t function)
{
    struct lane *lane = stack->lane;
    size_t before = lane->capacity;

    if (function >= before) {
        if (!VEC_ROOM(lane->active, lane->capacity, before, (size_t)function + 1 - before))
            return false;
        memset(lane->active + before, 0, (lane->capacity - before) * sizeof(*lane->active));
    }
    return VEC_ROOM(stack->frames, stack->capacity, stack->count, 1);
}

size_t stack_search(const struct stack *stack, uint32_t function, uint64_t caller)
{
    size_t count = stack_may_have(stack, function) ? stack->count : 0;

    while (count != 0 && !frame_is(&stack->frames[count - 1], function, caller))
        count--;
    return count;
}

void stacks_each(struct stacks *stacks, unsigned core, void (*use)(void *context, struct stack *s),
                 void *context)
{
    struct stacks_core *c = &stacks->cores[core];

    for (size_t i = 0; i < TRACE_EXCEPTIONS; i++)
        if (c->exceptions[i])
            use(context, c->exceptions[i]);
    for (size_t i = 0; i < c->own.count; i++)
        use(context, &c->own.all[i]->stack);
    for (size_t i = 0; i < stacks->shared.count; i++)
        use(context, &stacks->shared.all[i]->stack);
    c->current = NULL;
}
