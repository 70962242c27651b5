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

int64_t cost_duration(const struct trace_cost *cost, const struct stack *stack,
                      const struct frame *call, int outside, int64_t ticks)
{
    int64_t took = ticks - call->begin;
    double without = (double)took - cost->inside - call->hooks;

    if (took < 0 || (cost->inside == 0 && call->hooks == 0))
        return took;
    if (!is_inlined(stack, call))
        without += outside * cost->instruction;
    return without > 0 ? (int64_t)llround(without) : 0;
}

void cost_charge(const struct trace_cost *cost, struct stack *stack, const struct frame *call,
                 bool returned)
{
    struct stack *outer = stack->count != 0 ? stack : stack->interrupted;

    if (outer && outer->count != 0)
        outer->frames[outer->count - 1].hooks +=
            call->hooks + (returned ? cost->call : cost->call / 2);
}
