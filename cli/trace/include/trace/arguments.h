/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arguments or the result of an event, by the parameters or the type of its function. */
#ifndef TRACE_ARGUMENTS_H
#define TRACE_ARGUMENTS_H

#include <trace/writer.h>

/* Largest number of bytes of a structure that are known. */
#define TRACE_STRUCTURE 64

/* What an argument is, or is a part of. */
enum trace_part {
    TRACE_VALUE,           /* a value */
    TRACE_STRUCTURE_BEGIN, /* its members follow, up to the end; a structure may be within another
                            */
    TRACE_STRUCTURE_END,
    TRACE_ARRAY_BEGIN,
    TRACE_ARRAY_END,
};

/* One argument, or one part of a structure. */
struct trace_argument {
    enum trace_part part;
    const char *name; /* of a member, borrowed; name_len bytes, 0: it has none */
    size_t name_len;
    bool element;   /* it is in an array, and has no name */
    unsigned level; /* structures and arrays that it is in */
    bool first;     /* of the arguments, of a structure or of an array */

    /* Of a value. */
    char letter;    /* as in struct trace_function.parameters; '*': from here on nothing is known */
    unsigned size;  /* bytes */
    bool known;     /* there is a value */
    uint64_t value; /* its low bytes, without sign; the others are 0 */
    uint32_t type;  /* enum trace_type */

    size_t pointee; /* of a pointer to a structure: bytes of what is described of it; else 0 */
    bool now; /* of a structure that a pointer points to: it may have changed since the call */
};

/* A walk over the arguments of one event. Its members are private. */
struct trace_arguments {
    const struct trace_points *points;
    const struct trace_event *event;
    const uint32_t *types; /* of the values */
    const char *next;      /* of the description */
    unsigned word;         /* bytes of a register */
    bool big_endian;
    unsigned type_count;
    unsigned at, index; /* the next register and the next value */
    unsigned level;
    uint32_t arrays;  /* which levels are of arrays */
    uint64_t pointer; /* the last one */
    bool first, over;
    uint8_t bytes[TRACE_STRUCTURE]; /* of the structure */
    bool known[TRACE_STRUCTURE];    /* which of them */
};

/* Starts a walk. The function's parameters must be known, or of an exit its result; all is
 * borrowed. points have the function, and what pointers point to. A result is one argument;
 * nothing, or one that is not described, is none. */
struct trace_arguments trace_arguments_of(const struct trace_about *about,
                                          const struct trace_points *points,
                                          const struct trace_function *function,
                                          const struct trace_event *event);

/* Whether the next part is a structure that the last pointer points to: then that follows as one of
 * level 0, up to its end, before the next argument. */
bool trace_arguments_points(const struct trace_arguments *walk);

/* Sets *argument to the next one. Returns false at the end. */
bool trace_arguments_next(struct trace_arguments *walk, struct trace_argument *argument);

/* Whether a text describes parameters with structures, as struct trace_function.layout has them,
 * with at most TRACE_MEMBERS values. */
bool trace_layout_is_good(const char *text);

#endif
