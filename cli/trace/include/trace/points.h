/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The points, functions and exceptions that events of a trace refer to by their numbers. */
#ifndef TRACE_POINTS_H
#define TRACE_POINTS_H

#include <trace/event.h>

/* A set of points. It owns all strings that its functions return, until it is cleared or freed. */
struct trace_points;

/* Creates an empty set, which the caller frees. Returns NULL if memory runs out. */
struct trace_points *trace_points_new(void);
void trace_points_free(struct trace_points *points);

/* Removes everything. */
void trace_points_clear(struct trace_points *points);

/* Returns how often the set was cleared: indexes of before mean nothing if it has changed. */
unsigned trace_points_turn(const struct trace_points *points);

/* Return the number of points or functions, whose indexes are below that. */
size_t trace_points_count(const struct trace_points *points);
size_t trace_functions_count(const struct trace_points *points);

/* Return a point or a function by its index; valid until the next one is added. */
const struct trace_point *trace_point_at(const struct trace_points *points, uint32_t index);
const struct trace_function *trace_function_at(const struct trace_points *points, uint32_t index);

/* Returns what an exception below TRACE_EXCEPTIONS is called, "thread" for 0; NULL: not known. */
const char *trace_exception_name(const struct trace_points *points, unsigned exception);

/* Sets *index to a point with the same addresses, exception, core and exit, which is added if there
 * is none; *added tells. Its functions are those of point, which may be changed later by
 * trace_point_set(). Returns false if memory runs out. */
bool trace_add_point(struct trace_points *points, const struct trace_point *point, uint32_t *index,
                     bool *added);
void trace_point_set(struct trace_points *points, uint32_t index, uint32_t function,
                     uint32_t caller_function);

/* Sets *index to a function with the same address and name, which is added if there is none; its
 * strings are copied. Returns false if memory runs out. */
bool trace_add_function(struct trace_points *points, const struct trace_function *function,
                        uint32_t *index);

/* Sets what a function returns. */
void trace_function_set_result(struct trace_points *points, uint32_t index, const char result[3],
                               uint32_t type);

/* Sets what a function executes outside of its hooks. */
void trace_function_set_outside(struct trace_points *points, uint32_t index, int outside);

/* Names values of arguments; text is copied. A value that has a name keeps it, but for a
 * longer one of TRACE_CONTENT_NOW. Those of TRACE_NOW, TRACE_GONE and TRACE_CONTENT_NOW stay until
 * the next trace_forget_now(). After TRACE_NAMES_MAX names no more are kept. Returns false if
 * memory runs out. */
bool trace_add_name(struct trace_points *points, const struct trace_name *name);
void trace_forget_now(struct trace_points *points);

/* Returns the name of a value, or NULL; valid until the next one is added. */
const struct trace_name *trace_find_name(const struct trace_points *points, uint32_t type,
                                         uint64_t value);

/* Returns the number of names without those that do not stay, in the order in which they were
 * added, and one by its index. */
size_t trace_names_count(const struct trace_points *points);
const struct trace_name *trace_name_at(const struct trace_points *points, size_t index);

/* Names an exception below TRACE_EXCEPTIONS; name is copied. Returns false if memory runs out. */
bool trace_name_exception(struct trace_points *points, unsigned exception, const char *name);

#endif
