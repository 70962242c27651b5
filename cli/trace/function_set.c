/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a function of a recording among those of all. */
#include <trace/function_set.h>

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

void trace_function_set_free(struct trace_function_set *set)
{
    free(set->functions);
    free(set->of_points);
    dedupe_free(&set->known);
    string_arena_free(&set->strings);
}

static bool is_same(const void *context, uint32_t a, uint32_t b)
{
    const struct trace_function_set *set = context;
    const struct trace_function *x = &set->functions[a], *y = &set->functions[b];

    return x->addr == y->addr && strcmp(x->name, y->name) == 0;
}

static bool add(struct trace_function_set *set, const struct trace_function *f, uint32_t *index)
{
    uint64_t hash = hash_bytes(hash_number(HASH_START, f->addr), f->name, strlen(f->name));
    uint32_t before;

    if (!VEC_ROOM(set->functions, set->capacity, set->count, 1))
        return false;
    struct trace_function *new = &set->functions[set->count];
    *new = (struct trace_function){.addr = f->addr, .line = f->line, .parameters = ""};
    memcpy(new->result, f->result, sizeof(new->result));
    new->name = string_arena_add(&set->strings, f->name, strlen(f->name));
    new->file = string_arena_add(&set->strings, f->file, strlen(f->file));
    if (!new->name || !new->file ||
        !dedupe_put(&set->known, hash, (uint32_t)set->count, is_same, set, &before))
        return false;
    *index = before == DEDUPE_NONE ? (uint32_t)set->count++ : before;
    return true;
}

bool trace_function_set_take(struct trace_function_set *set, const struct trace_points *points)
{
    size_t count = trace_functions_count(points);

    if (set->turn != trace_points_turn(points))
        set->of_count = 0;
    set->turn = trace_points_turn(points);
    if (!VEC_ROOM(set->of_points, set->of_capacity, set->of_count, count - set->of_count))
        return false;
    for (; set->of_count < count; set->of_count++) {
        const struct trace_function *f = trace_function_at(points, (uint32_t)set->of_count);
        if (!add(set, f, &set->of_points[set->of_count]))
            return false;
    }
    return true;
}
