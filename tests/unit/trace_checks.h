/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events that tests make of names. */
#ifndef TRACE_CHECKS_H
#define TRACE_CHECKS_H

#include <stdlib.h>

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
                               .layout = name[0] == 's' ? "(i4=er{a:i4@0}p8*" : "",
                               .member_types = {[1] = TRACE_ENUM, [2] = TRACE_STRING},
                               .line = 7,
                               .result = "u1",
                               .outside = -3,
                               .result_type = TRACE_BOOL};
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

static inline uint32_t trace_letter(struct trace_points *points, char name)
{
    const struct trace_function f = {.addr = 64 * (uint64_t)name,
                                     .name = name == 'M' ? "main" : (char[]){name, '\0'},
                                     .file = "",
                                     .parameters = "",
                                     .outside = name == 'o' ? 4 : 0};
    uint32_t index = TRACE_NO_FUNCTION;

    if (name != '.')
        assert_true(trace_add_function(points, &f, &index));
    return index;
}

/* Returns the event of a token. "+fg": f is entered from g, "-fg": it returns there; g is "." if it
 * is not known, M is "main". Then may come @TICKS (else 1 after *now), #TASK, ^EXCEPTION, /CORE,
 * ~PLACE of the call in g, and =ARGUMENT. "m": a mark, "!/CORE": a loss, "R": a restart, "E": the
 * end of a recording, "C": a clock of 1000 Hz, "S": one of all cores; of both
 * =INSIDE=CALL=INSTRUCTION=JUMP_FROM=JUMP_TO=JUMP is what hooks cost. The function o has 4
 * instructions outside of them. ">fg": f ends by a jump, "*fg": it begins by one.
 */
static inline struct trace_event trace_token(struct trace_points *points, const char *token,
                                             int64_t *now)
{
    struct trace_event e = {.kind = TRACE_CALL};
    struct trace_point p = {.kind = TRACE_MARK, .caller_function = TRACE_NO_FUNCTION};
    double numbers[6] = {0};
    unsigned count = 0;
    bool added, call = strchr("+-*>", *token) != NULL;
    const char *at = token + (call ? 3 : 1);

    if (call) {
        p.kind = *token == '+' || *token == '*' ? TRACE_ENTRY : TRACE_EXIT;
        e.jump = *token == '>' || *token == '*';
        p.function = trace_letter(points, token[1]);
        p.caller_function = trace_letter(points, token[2]);
        p.callee = 64 * (uint64_t)token[1];
        p.caller = 64 * (uint64_t)token[2];
    }
    ++*now;
    for (char *end; *at; at = end) {
        uint64_t number = strtoull(at + 1, &end, 10);
        if (*at == '@')
            *now = (int64_t)number;
        else if (*at == '#')
            e.has_task = true, e.task = number;
        else if (*at == '^')
            p.exception = (unsigned)number;
        else if (*at == '~')
            p.caller += number;
        else if (*at == '=')
            numbers[count++] = (double)number;
        else
            p.core = (unsigned)number;
    }
    e.core = p.core;
    e.ticks = *now;
    e.cost =
        (struct trace_cost){numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
    e.kind = *token == '!'                    ? TRACE_OVERWRITTEN
             : *token == 'R'                  ? TRACE_RESTART
             : *token == 'E'                  ? TRACE_END
             : *token == 'C' || *token == 'S' ? TRACE_CLOCK
                                              : TRACE_CALL;
    e.timed = true;
    e.one_clock = *token == 'S';
    e.hz = 1000;
    e.argument_count = e.kind == TRACE_CALL ? count : 0;
    for (unsigned i = 0; i < e.argument_count; i++)
        e.arguments[i] = (uint64_t)numbers[i];
    if (e.kind == TRACE_CALL)
        assert_true(trace_add_point(points, &p, &e.point, &added));
    return e;
}

#endif
