/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subtracts what the target has measured of its hooks. */
#include "cost.h"

#include <math.h>

/* An inlined function has the hooks, and the return address of the function that it is part of. */
static bool is_inlined(const struct stack *stack, const struct frame *call)
{
    const struct frame *around = stack->count != 0 ? &stack->frames[stack->count - 1] : NULL;

    return around && around->caller == call->caller && around->function != call->function;
}

/* What is between the two records of a call may be the hook of a jump at either end. */
static double inside_of(const struct trace_cost *cost, const struct frame *call)
{
    double inside = cost->inside;

    if (cost->jump > 0 && call->jumped_to)
        inside += cost->jump_to - cost->inside;
    if (cost->jump > 0 && call->jumps)
        inside += cost->jump_from - cost->inside;
    return inside;
}

int64_t cost_duration(const struct trace_cost *cost, const struct stack *stack,
                      const struct frame *call, int outside, int64_t ticks)
{
    int64_t took = ticks - call->begin;
    double inside = inside_of(cost, call), without = (double)took - inside - call->hooks;

    if (took < 0 || (inside == 0 && call->hooks == 0))
        return took;
    if (!is_inlined(stack, call))
        without += outside * cost->instruction;
    return without > 0 ? (int64_t)llround(without) : 0;
}

static void charge(const struct trace_cost *cost, struct stack *stack, const struct frame *call,
                   double part)
{
    struct stack *outer = stack->count != 0 ? stack : stack->interrupted;
    double hooks = cost->jump > 0 && call->jumped_to ? cost->jump : cost->call;

    if (outer && outer->count != 0)
        outer->frames[outer->count - 1].hooks += call->hooks + hooks * part;
}

void cost_cut(const struct trace_cost *cost, struct stack *stack, const struct frame *call)
{
    charge(cost, stack, call, 0.5);
}

void cost_exit(const struct trace_cost *cost, struct stack *stack, struct frame *call,
               const struct trace_event *exit)
{
    call->jumps = exit->jump;
    charge(cost, stack, call, 1);
}
