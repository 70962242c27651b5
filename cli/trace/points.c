/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps each point and each function once. */
#include <trace/points.h>

#include <stdlib.h>
#include <string.h>

#include <base/dedupe.h>
#include <base/string_arena.h>
#include <base/vec.h>

#include "names.h"

struct trace_points {
    struct trace_point *points; /* owned */
    size_t count, capacity;
    struct trace_function *functions; /* owned */
    size_t function_count, function_capacity;
    struct dedupe known_points, known_functions;
    struct string_arena strings;
    const char *exceptions[TRACE_EXCEPTIONS];
    struct trace_names names, now;
    unsigned turn;
};

struct trace_points *trace_points_new(void)
{
    return calloc(1, sizeof(struct trace_points));
}

static void free_contents(struct trace_points *p)
{
    free(p->points);
    free(p->functions);
    dedupe_free(&p->known_points);
    dedupe_free(&p->known_functions);
    string_arena_free(&p->strings);
    trace_names_free(&p->names);
    trace_names_free(&p->now);
}

void trace_points_free(struct trace_points *points)
{
    if (points)
        free_contents(points);
    free(points);
}

void trace_points_clear(struct trace_points *points)
{
    unsigned turn = points->turn + 1;

    free_contents(points);
    *points = (struct trace_points){.turn = turn};
}

unsigned trace_points_turn(const struct trace_points *points)
{
    return points->turn;
}

size_t trace_points_count(const struct trace_points *points)
{
    return points->count;
}

size_t trace_functions_count(const struct trace_points *points)
{
    return points->function_count;
}

const struct trace_point *trace_point_at(const struct trace_points *points, uint32_t index)
{
    return &points->points[index];
}

const struct trace_function *trace_function_at(const struct trace_points *points, uint32_t index)
{
    return &points->functions[index];
}

const char *trace_exception_name(const struct trace_points *points, unsigned exception)
{
    return points->exceptions[exception];
}

static bool is_same_point(const void *context, uint32_t a, uint32_t b)
{
    const struct trace_points *points = context;
    const struct trace_point *x = &points->points[a], *y = &points->points[b];

    return x->callee == y->callee && x->caller == y->caller && x->exception == y->exception &&
           x->core == y->core && x->kind == y->kind && x->sleep == y->sleep;
}

bool trace_add_point(struct trace_points *points, const struct trace_point *point, uint32_t *index,
                     bool *added)
{
    struct trace_points *p = points;
    uint64_t hash = hash_number(hash_number(HASH_START, point->callee), point->caller);
    uint32_t before;

    hash = hash_number(hash, point->exception << 8 | point->core << 2 | point->kind);
    if (p->count >= DEDUPE_NONE - 1 || !VEC_ROOM(p->points, p->capacity, p->count, 1))
        return false;
    p->points[p->count] = *point;
    if (!dedupe_put(&p->known_points, hash, (uint32_t)p->count, is_same_point, p, &before))
        return false;
    *added = before == DEDUPE_NONE;
    *index = *added ? (uint32_t)p->count++ : before;
    return true;
}

void trace_point_set(struct trace_points *points, uint32_t index, uint32_t function,
                     uint32_t caller_function)
{
    points->points[index].function = function;
    points->points[index].caller_function = caller_function;
}

static bool is_same_function(const void *context, uint32_t a, uint32_t b)
{
    const struct trace_points *points = context;
    const struct trace_function *x = &points->functions[a], *y = &points->functions[b];

    return x->addr == y->addr && strcmp(x->name, y->name) == 0;
}

bool trace_add_function(struct trace_points *points, const struct trace_function *function,
                        uint32_t *index)
{
    struct trace_points *p = points;
    uint64_t hash =
        hash_bytes(hash_number(HASH_START, function->addr), function->name, strlen(function->name));
    uint32_t before;

    if (p->function_count >= DEDUPE_NONE - 1 ||
        !VEC_ROOM(p->functions, p->function_capacity, p->function_count, 1))
        return false;
    struct trace_function *copy = &p->functions[p->function_count];
    *copy = *function;
    copy->name = string_arena_add(&p->strings, function->name, strlen(function->name));
    copy->file = string_arena_add(&p->strings, function->file, strlen(function->file));
    copy->parameters =
        string_arena_add(&p->strings, function->parameters, strlen(function->parameters));
    const char *layout = function->layout ? function->layout : "";
    copy->layout = string_arena_add(&p->strings, layout, strlen(layout));
    if (!copy->name || !copy->file || !copy->parameters || !copy->layout ||
        !dedupe_put(&p->known_functions, hash, (uint32_t)p->function_count, is_same_function, p,
                    &before))
        return false;
    *index = before == DEDUPE_NONE ? (uint32_t)p->function_count++ : before;
    return true;
}

void trace_function_set_result(struct trace_points *points, uint32_t index, const char result[3],
                               uint32_t type)
{
    struct trace_function *f = &points->functions[index];

    memcpy(f->result, result, sizeof(f->result));
    f->result_type = type;
}

void trace_function_set_outside(struct trace_points *points, uint32_t index, int outside)
{
    points->functions[index].outside = outside;
}

bool trace_name_exception(struct trace_points *points, unsigned exception, const char *name)
{
    const char *copy = string_arena_add(&points->strings, name, strlen(name));

    if (copy)
        points->exceptions[exception] = copy;
    return copy != NULL;
}

static bool is_now(uint32_t type)
{
    return type == TRACE_NOW || type == TRACE_GONE || type == TRACE_CONTENT_NOW;
}

bool trace_add_name(struct trace_points *points, const struct trace_name *name)
{
    return trace_names_add(is_now(name->type) ? &points->now : &points->names, name);
}

void trace_forget_now(struct trace_points *points)
{
    trace_names_free(&points->now);
}

const struct trace_name *trace_find_name(const struct trace_points *points, uint32_t type,
                                         uint64_t value)
{
    return trace_names_find(is_now(type) ? &points->now : &points->names, type, value);
}

size_t trace_names_count(const struct trace_points *points)
{
    return points->names.count;
}

const struct trace_name *trace_name_at(const struct trace_points *points, size_t index)
{
    return &points->names.list[index];
}
