/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows callers from frame to frame. */
#include "chain.h"

#include <stdlib.h>
#include <string.h>

/* Where an exception of Arm was entered, its return address is such a code (Armv8-M Architecture
 * Reference Manual, EXC_RETURN). */
#define EXCEPTION_RETURN 0xffffff00u

/* No frame. */
#define NO_FRAME SIZE_MAX

static const struct trace_point *point_of(const struct chain_source *c, size_t frame)
{
    return trace_point_at(c->points, c->stack->entries[frame].point);
}

static bool returns(const struct chain_source *c, size_t frame)
{
    return c->functions[c->stack->frames[frame].function] & c->returns;
}

size_t chain_latest(const struct chain_source *source, size_t count, uint32_t function)
{
    const struct stack *s = source->stack;
    size_t i = function != TRACE_NO_FUNCTION && stack_may_have(s, function) ? count : 0;

    while (i > s->old && (s->frames[i - 1].function != function ||
                          (s->frames[i - 1].passed && !returns(source, i - 1))))
        i--;
    return i > s->old ? i : 0;
}

/* An inlined function has the return address of the one that it is part of. */
static bool is_inlined(const struct chain_source *c, size_t frame)
{
    const struct frame *f = &c->stack->frames[frame], *before = f - 1;

    return frame > c->stack->old && f->caller != 0 && f->caller == before->caller &&
           f->function != before->function && returns(c, frame - 1);
}

static bool is_same_caller(const struct trace_point *a, const struct trace_point *b)
{
    return a->caller_function == b->caller_function &&
           (a->caller_function != TRACE_NO_FUNCTION || a->caller == b->caller);
}

/* Returns the frame that has called another one, or NO_FRAME. Sets *gap if others may be between.
 */
static size_t parent_of(const struct chain_source *c, size_t frame, bool *gap)
{
    const struct stack *s = c->stack;
    uint32_t caller = point_of(c, frame)->caller_function;

    *gap = false;
    if (frame == s->old)
        return NO_FRAME;
    size_t parent = chain_latest(c, frame, caller);
    if (parent == frame || is_inlined(c, frame))
        return frame - 1;
    if (parent != 0) {
        while (parent < frame && is_inlined(c, parent))
            parent++;
        return parent - 1;
    }
    if (is_same_caller(point_of(c, frame), point_of(c, s->old)))
        return NO_FRAME;
    *gap = returns(c, frame - 1);
    return *gap ? frame - 1 : NO_FRAME;
}

static bool is_main(const struct chain_source *c, uint32_t function)
{
    return function != TRACE_NO_FUNCTION &&
           strcmp(trace_function_at(c->points, function)->name, "main") == 0;
}

/* What is before the first link: nothing, if it is the first call of all. */
static void begin(const struct chain_source *c, size_t frame, struct trace_link *link)
{
    const struct trace_point *p = point_of(c, frame);
    bool exception = p->exception != 0 && p->caller_function == TRACE_NO_FUNCTION &&
                     (uint32_t)p->caller >= EXCEPTION_RETURN;
    bool first = is_main(c, p->function) || exception;

    link->caller = !first && p->caller != 0;
    link->gap = !first && !is_main(c, p->caller_function);
}

struct trace_chain *chain_new(const struct chain_source *source)
{
    const struct stack *s = source->stack;
    struct trace_link links[CHAIN_MAX];
    size_t at = CHAIN_MAX, frame = s->count - 1, parent = frame;

    while (parent != NO_FRAME && at != 0) {
        struct trace_link *link = &links[--at];
        frame = parent;
        parent = parent_of(source, frame, &link->gap);
        link->entry = s->entries[frame];
        link->caller = link->gap && point_of(source, frame)->caller != 0;
    }
    begin(source, frame, &links[at]);
    size_t count = CHAIN_MAX - at;
    struct trace_chain *chain = malloc(sizeof(*chain) + count * sizeof(*links));
    if (chain) {
        chain->count = count;
        memcpy(chain->links, links + at, count * sizeof(*links));
    }
    return chain;
}
