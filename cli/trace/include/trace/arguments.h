/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arguments of an event, by the parameters of its function. */
#ifndef TRACE_ARGUMENTS_H
#define TRACE_ARGUMENTS_H

#include <trace/writer.h>

/* One argument. */
struct trace_argument {
    char letter;    /* as in struct trace_function.parameters; '*': from here on nothing is known */
    unsigned size;  /* bytes of the parameter */
    bool known;     /* there is a value */
    uint64_t value; /* its low bytes, without sign; the others are 0 */
    uint32_t type;  /* enum trace_type */
};

/* A walk over the arguments of one event. Its members are private. */
struct trace_arguments {
    const struct trace_event *event;
    const struct trace_function *function;
    unsigned word; /* bytes of a register */
    bool big_endian;
    unsigned at, index; /* the next register and the next parameter */
    bool over;
};

/* Starts a walk. The function's parameters must be known; all is borrowed. */
struct trace_arguments trace_arguments_of(const struct trace_about *about,
                                          const struct trace_function *function,
                                          const struct trace_event *event);

/* Sets *argument to the next one. Returns false at the end. */
bool trace_arguments_next(struct trace_arguments *walk, struct trace_argument *argument);

#endif
