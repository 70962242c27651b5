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
        snprintf(comment, sizeof(comment), "mprof " CONTEXTS_KEY "=%" PRIu64 " %u %s", c->hits,
                 c->number, c->name);
        if (!say(context, comment))
            return false;
    }
    return true;
}

bool contexts_add(struct snapshot *s, const struct snapshot_context *context)
{
    for (size_t i = 0; i < s->context_count; i++) {
        struct snapshot_context *c = &s->contexts[i];
        if (c->number != context->number || strcmp(c->name, context->name) != 0)
            continue;
        if (__builtin_add_overflow(c->hits, context->hits, &c->hits))
            c->hits = UINT64_MAX;
        return true;
    }
    const char *name = store_string(s, context->name);
    if (!name || !GROW(s, contexts, context_count, 1))
        return false;
    s->contexts[s->context_count++] =
        (struct snapshot_context){.hits = context->hits, .number = context->number, .name = name};
    return true;
}

enum conditions_take contexts_take(struct snapshot *s, const char *value)
{
    struct snapshot_context c;
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

static int order_contexts(const void *a, const void *b)
{
    const struct snapshot_context *x = a, *y = b;

    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : strcmp(x->name, y->name);
}

bool contexts_sum(struct snapshot *s, const struct snapshot *const *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (all[i]->context_count == 0)
            return true;
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < all[i]->context_count; n++)
            if (!contexts_add(s, &all[i]->contexts[n]))
                return false;
    qsort(s->contexts, s->context_count, sizeof(*s->contexts), order_contexts);
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

bool contexts_profile(const struct snapshot *s, struct profile *profile)
{
    struct profile *by = s->context_count ? malloc(sizeof(*by)) : NULL;
    unsigned next = PROFILE_TASK_FIRST;

    if (!by)
        return s->context_count == 0;
    profile_init(by);
    profile->by_context = by;
    by->exceptions = true;
    by->rows = calloc(s->context_count, sizeof(*by->rows));
    bool done = by->rows != NULL;
    for (size_t i = 0; done && i < s->context_count; i++) {
        const struct snapshot_context *c = &s->contexts[i];
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
