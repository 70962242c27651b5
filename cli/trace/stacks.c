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

static void free_core(struct stacks_core *c)
{
    for (size_t i = 0; i < TRACE_EXCEPTIONS; i++) {
        if (c->exceptions[i])
            free_stack(c->exceptions[i]);
        free(c->exceptions[i]);
    }
    for (size_t i = 0; i < c->count; i++) {
        free_stack(&c->lanes[i]->stack);
        free(c->lanes[i]->active);
        free(c->lanes[i]);
    }
    free(c->lanes);
}

void stacks_free(struct stacks *stacks)
{
    for (size_t i = 0; i < TRACE_CORES; i++)
        free_core(&stacks->cores[i]);
}

/* Finds or adds the lane of a task. */
static struct lane *lane_of(struct stacks_core *c, uint64_t task)
{
    size_t i = 0;

    if (c->lane && c->lane->task == task)
        return c->lane;
    while (i < c->count && c->lanes[i]->task != task)
        i++;
    if (i < c->count)
        return c->lanes[i];
    if (i == STACK_TASKS_MAX)
        return c->lanes[i - 1];
    if (!VEC_ROOM(c->lanes, c->capacity, c->count, 1))
        return NULL;
    struct lane *lane = calloc(1, sizeof(*lane));
    if (lane) {
        lane->task = task;
        lane->stack.lane = lane;
        c->lanes[c->count++] = lane;
    }
    return lane;
}

struct stack *stacks_find(struct stacks *stacks, unsigned core, unsigned exception, uint64_t task)
{
    struct stacks_core *c = &stacks->cores[core];
    struct stack *s = c->exceptions[exception];

    if (exception == 0 || !s || s->count == 0) {
        struct lane *lane = lane_of(c, task);
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
    for (size_t i = 0; i < c->count; i++)
        use(context, &c->lanes[i]->stack);
    c->current = NULL;
}
