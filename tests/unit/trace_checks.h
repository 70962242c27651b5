/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events that tests make of names. */
#ifndef TRACE_CHECKS_H
#define TRACE_CHECKS_H

#include "unit.h"
#include <trace/points.h>

/* Returns the point of a call of a function, whose address is made of its name, or of its exit. */
static inline uint32_t trace_point(struct trace_points *points, const char *name, unsigned core,
                                   unsigned exception, bool leaves, uint64_t caller)
{
    struct trace_function f = {.addr = 0x8000 + 64 * (uint64_t)(uint8_t)name[0],
                               .name = name,
                               .file = "src/a.c",
                               .parameters = "(i4p8*",
                               .types = {TRACE_PLAIN, TRACE_STRING},
                               .line = 7};
    struct trace_point p = {.callee = f.addr,
                            .caller = caller,
                            .core = core,
                            .exception = exception,
                            .kind = leaves ? TRACE_EXIT : TRACE_ENTRY,
                            .caller_function = TRACE_NO_FUNCTION};
    uint32_t index;
    bool added;

    assert_true(trace_add_function(points, &f, &p.function));
    assert_true(trace_add_point(points, &p, &index, &added));
    return index;
}

static inline struct trace_event trace_call(struct trace_points *points, const char *name,
                                            unsigned core, unsigned exception, bool leaves,
                                            int64_t ticks)
{
    return (struct trace_event){.kind = TRACE_CALL,
                                .core = core,
                                .ticks = ticks,
                                .point =
                                    trace_point(points, name, core, exception, leaves, 0x9000)};
}

#endif
