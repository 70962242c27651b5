/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of all recordings of a file: one with the same address and name is the same. */
#ifndef TRACE_FUNCTION_SET_H
#define TRACE_FUNCTION_SET_H

#include <base/dedupe.h>
#include <base/string_arena.h>
#include <trace/points.h>

/* The functions, numbered from 0 on in the order in which they were taken. Zeroed memory is an
 * empty set. */
struct trace_function_set {
    struct trace_function *functions; /* owned; with address, name, file and line only */
    size_t count, capacity;
    struct dedupe known;
    struct string_arena strings;
    uint32_t *of_points; /* owned; number of each function of the points */
    size_t of_count, of_capacity;
    unsigned turn; /* of the points */
};

void trace_function_set_free(struct trace_function_set *set);

/* Takes the functions of points that are new. Returns false if memory runs out. */
bool trace_function_set_take(struct trace_function_set *set, const struct trace_points *points)
    __attribute__((warn_unused_result));

/* Sets *number to that of a function of points. Returns false if memory runs out. */
static inline bool trace_function_set_number(struct trace_function_set *set,
                                             const struct trace_points *points, uint32_t function,
                                             uint32_t *number)
{
    if ((set->turn != trace_points_turn(points) || function >= set->of_count) &&
        !trace_function_set_take(set, points))
        return false;
    *number = set->of_points[function];
    return true;
}

#endif
