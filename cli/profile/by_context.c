/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks, and the samples of each task and each exception, as a profile within the profile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

#include "profile_private.h"

void profile_tasks_free(struct profile_tasks *tasks)
{
    if (tasks)
        free(tasks->list);
    free(tasks);
}

static bool make(struct profile_tasks **tasks)
{
    if (!*tasks)
        *tasks = calloc(1, sizeof(**tasks));
    return *tasks != NULL;
}

static struct profile_task *add(struct profile_tasks **tasks, unsigned number, uint64_t word)
{
    if (!make(tasks) || !VEC_ROOM((*tasks)->list, (*tasks)->capacity, (*tasks)->count, 1))
        return NULL;
    struct profile_task *task = &(*tasks)->list[(*tasks)->count++];
    *task = (struct profile_task){.number = number, .word = word, .has_word = true};
    return task;
}

bool profile_tasks_copy(const struct profile_tasks *tasks, struct profile_tasks **copy)
{
    struct profile_tasks *made = NULL;

    *copy = NULL;
    if (!tasks)
        return true;
    if (!make(&made) || !VEC_ROOM(made->list, made->capacity, 0, tasks->count)) {
        free(made);
        return false;
    }
    if (tasks->count)
        memcpy(made->list, tasks->list, tasks->count * sizeof(*made->list));
    made->count = tasks->count;
    *copy = made;
    return true;
}

unsigned profile_tasks_number(struct profile_tasks **tasks, uint64_t word)
{
    size_t count = *tasks ? (*tasks)->count : 0;

    for (size_t i = 0; i < count; i++)
        if ((*tasks)->list[i].word == word)
            return (*tasks)->list[i].number;
    unsigned number = (unsigned)(PROFILE_TASK_FIRST + count);
    return number < PROFILE_OTHERS && add(tasks, number, word) ? number : PROFILE_OTHERS;
}

static bool is_begin_of(const struct profile_tasks *a, const struct profile_tasks *b)
{
    bool same = !a || a->count <= b->count;

    for (size_t i = 0; a && same && i < a->count; i++)
        same = a->list[i].word == b->list[i].word;
    return same;
}

bool profile_tasks_follow(struct profile_tasks **tasks, const struct profile_tasks *from)
{
    if (!from)
        return true;
    if (!is_begin_of(*tasks, from)) {
        profile_tasks_free(*tasks);
        *tasks = NULL;
    }
    for (size_t i = *tasks ? (*tasks)->count : 0; i < from->count; i++)
        if (!add(tasks, from->list[i].number, from->list[i].word))
            return false;
    return make(tasks);
}

bool profile_tasks_name(struct profile_tasks **tasks, unsigned number, const char *name)
{
    struct profile_task *task = NULL;

    for (size_t i = 0; *tasks && !task && i < (*tasks)->count; i++)
        if ((*tasks)->list[i].number == number)
            task = &(*tasks)->list[i];
    if (!task) {
        task = add(tasks, number, number);
        if (task)
            task->has_word = false;
    }
    if (task)
        snprintf(task->name, sizeof(task->name), "%s", name);
    return task != NULL;
}

const struct profile_task *profile_tasks_find(const struct profile_tasks *tasks, unsigned number)
{
    for (size_t i = 0; tasks && i < tasks->count; i++)
        if (tasks->list[i].number == number)
            return &tasks->list[i];
    return NULL;
}

/* Adds up the rows of all cores. */
static void count(struct profile *p, const struct profile_object *objects, size_t count,
                  uint64_t hits[PROFILE_CONTEXTS])
{
    for (size_t core = 0; core < count; core++) {
        const struct profile_object *o = &objects[core];
        struct decode_task task;
        for (size_t i = 0; i < o->header->blocks[DECODE_TASKS].count; i++) {
            if (!decode_task(o->bytes, o->header, i, &task))
                continue;
            unsigned number =
                task.exception != 0 ? task.exception : profile_tasks_number(&p->tasks, task.task);
            hits[number] += task.hits;
        }
        hits[PROFILE_OTHERS] += decode_tasks_lost(o->bytes, o->header);
    }
}

/* Rows keep their places, so that two readings can be compared. */
static bool set_rows(struct profile *c, uint64_t hits[PROFILE_CONTEXTS], bool first)
{
    size_t room = c->row_count;

    for (size_t i = 0; i < c->row_count; i++) {
        struct profile_hit *row = &c->rows[i];
        uint64_t now = hits[row->exception];
        row->recent = first || now < row->hits ? 0 : (uint32_t)(now - row->hits);
        row->hits = now;
        hits[row->exception] = 0;
    }
    for (unsigned n = 0; n < PROFILE_CONTEXTS; n++) {
        if (hits[n] == 0)
            continue;
        if (!VEC_ROOM(c->rows, room, c->row_count, 1))
            return false;
        c->rows[c->row_count++] = (struct profile_hit){.hits = hits[n],
                                                       .recent = first ? 0 : (uint32_t)hits[n],
                                                       .exception = (uint16_t)n,
                                                       .stamp = 1,
                                                       .complete = true};
    }
    return true;
}

/* All but the rows and their sums. */
static void take_shape(const struct profile *p, struct profile *c)
{
    const struct profile own = *c;

    *c = *p;
    c->rows = own.rows;
    c->row_count = own.row_count;
    c->slices = own.slices;
    c->wander = own.wander;
    c->rest = (struct profile_rest){.count = 0};
    c->tasks = NULL;
    c->by_context = NULL;
    c->source = DECODE_TABLE;
    c->unit = DECODE_UNIT_SAMPLES;
    c->block_size = 1;
    c->lateness = c->decays = false;
    c->exceptions = true;
    c->capacity = 0;
    c->dropped = c->displaced = c->missed = 0;
}

bool profile_count_contexts(struct profile *profile, const struct profile_object *objects,
                            size_t object_count)
{
    uint64_t hits[PROFILE_CONTEXTS] = {0};
    struct profile *c = profile->by_context;

    if (objects[0].header->blocks[DECODE_TASKS].count == 0 || profile->unit != DECODE_UNIT_SAMPLES)
        return true;
    if (!c)
        c = profile->by_context = calloc(1, sizeof(*c));
    if (!c)
        return false;
    count(profile, objects, object_count, hits);
    if (!set_rows(c, hits, profile->recent_s <= 0))
        return false;
    take_shape(profile, c);
    return profile_tasks_follow(&profile->tasks, profile->tasks);
}
