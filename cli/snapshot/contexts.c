/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits of tasks and exceptions: "1353 512 task blink" is 1353 hits of a task. */
#include "contexts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

#define TASK_WORD    "task "
#define COMMENT_MAX  (PROFILE_TASK_NAME + 80)
#define CONTEXTS_MAX 65536 /* of a damaged file */

bool contexts_each(const struct snapshot *s, void *context,
                   bool (*say)(void *context, const char *comment))
{
    char comment[COMMENT_MAX];

    for (size_t i = 0; i < s->context_count; i++) {
        const struct snapshot_context *c = &s->contexts[i];
        char key[40] = CONTEXTS_KEY "=";
        if (c->run)
            snprintf(key, sizeof(key), RUN_CONTEXTS_KEY "=%" PRIu32 " ", c->run);
        snprintf(comment, sizeof(comment), "mprof %s%" PRIu64 " %u %s", key, c->hits, c->number,
                 c->name);
        if (!say(context, comment))
            return false;
    }
    return true;
}

bool contexts_add(struct snapshot *s, const struct snapshot_context *context)
{
    for (size_t i = 0; i < s->context_count; i++) {
        struct snapshot_context *c = &s->contexts[i];
        if (c->run != context->run || c->number != context->number ||
            strcmp(c->name, context->name) != 0)
            continue;
        if (__builtin_add_overflow(c->hits, context->hits, &c->hits))
            c->hits = UINT64_MAX;
        return true;
    }
    const char *name = store_string(s, context->name);
    if (!name || !GROW(s, contexts, context_count, 1))
        return false;
    s->contexts[s->context_count++] =
        (struct snapshot_context){context->hits, context->number, name, context->run};
    return true;
}

static enum conditions_take take(struct snapshot *s, uint32_t run, const char *value)
{
    struct snapshot_context c = {.run = run};
    char *end;

    c.hits = strtoull(value, &end, 10);
    if (end == value || *end != ' ' || value[0] < '0' || value[0] > '9')
        return CONDITIONS_WRONG;
    value = end + 1;
    unsigned long number = strtoul(value, &end, 10);
    if (end == value || *end != ' ' || value[0] < '0' || value[0] > '9' ||
        number >= PROFILE_CONTEXTS || c.hits > INT64_MAX || s->context_count >= CONTEXTS_MAX)
        return CONDITIONS_WRONG;
    c.number = (unsigned)number;
    c.name = end + 1;
    return contexts_add(s, &c) ? CONDITIONS_TAKEN : CONDITIONS_ENOMEM;
}

enum conditions_take contexts_take(struct snapshot *s, const char *value)
{
    return take(s, 0, value);
}

enum conditions_take contexts_take_run(struct snapshot *s, const char *value)
{
    char *end;
    unsigned long run = strtoul(value, &end, 10);

    if (value[0] < '1' || value[0] > '9' || *end != ' ' || run > SNAPSHOT_RUNS_MAX)
        return CONDITIONS_WRONG;
    return take(s, (uint32_t)run, end + 1);
}

static int order_contexts(const void *a, const void *b)
{
    const struct snapshot_context *x = a, *y = b;

    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : strcmp(x->name, y->name);
}

static void sort(struct snapshot *s)
{
    if (s->context_count)
        qsort(s->contexts, s->context_count, sizeof(*s->contexts), order_contexts);
}

bool contexts_add_run(struct snapshot *s, const struct snapshot *from, uint32_t run)
{
    for (size_t i = 0; i < from->context_count; i++) {
        struct snapshot_context c = from->contexts[i];
        if (c.run != 0)
            continue;
        c.run = run;
        if (!contexts_add(s, &c))
            return false;
    }
    sort(s);
    return true;
}

bool contexts_sum(struct snapshot *s, const struct snapshot *const *all, size_t count, bool runs)
{
    for (size_t i = 0; i < count; i++)
        if (all[i]->context_count == 0)
            return true;
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < all[i]->context_count; n++)
            if ((runs || all[i]->contexts[n].run == 0) && !contexts_add(s, &all[i]->contexts[n]))
                return false;
    sort(s);
    return true;
}

/* The number that a row has: each task has its own. */
static unsigned number_of(const struct snapshot_context *c, unsigned *next)
{
    if (c->number < PROFILE_TASK_FIRST || c->number == PROFILE_OTHERS)
        return c->number;
    return *next < PROFILE_OTHERS ? (*next)++ : PROFILE_OTHERS;
}

static const char *name_of(const struct snapshot_context *c)
{
    bool task = strncmp(c->name, TASK_WORD, strlen(TASK_WORD)) == 0;

    return c->number >= PROFILE_TASK_FIRST && task ? c->name + strlen(TASK_WORD) : c->name;
}

bool contexts_profile(const struct snapshot *s, uint32_t run, struct profile *profile)
{
    unsigned next = PROFILE_TASK_FIRST;
    size_t count = 0;

    for (size_t i = 0; i < s->context_count; i++)
        count += s->contexts[i].run == run;
    struct profile *by = count ? malloc(sizeof(*by)) : NULL;
    if (!by)
        return count == 0;
    profile_init(by);
    profile->by_context = by;
    by->exceptions = true;
    by->rows = calloc(s->context_count, sizeof(*by->rows));
    bool done = by->rows != NULL;
    for (size_t i = 0; done && i < s->context_count; i++) {
        const struct snapshot_context *c = &s->contexts[i];
        if (c->run != run)
            continue;
        unsigned number = number_of(c, &next);
        by->rows[by->row_count++] = (struct profile_hit){
            .hits = c->hits, .exception = (uint16_t)number, .stamp = 1, .complete = true};
        if (__builtin_add_overflow(by->attributed, c->hits, &by->attributed))
            by->attributed = UINT64_MAX;
        if (number != PROFILE_OTHERS && number != 0)
            done = profile_tasks_name(&profile->tasks, number, name_of(c));
    }
    by->used = by->row_count;
    by->sample_hz = profile->sample_hz;
    by->heartbeat = profile->heartbeat;
    by->locked = profile->locked;
    by->jittered = profile->jittered;
    by->fixed = profile->fixed;
    return done;
}
