/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the target's tasks are called, and how much of their stacks was never used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <base/nearest.h>
#include <base/vec.h>
#include <kernel/stack.h>
#include <load/near_names.h>

#include "session_parts.h"

/* Lower addresses are numbers of tasks, not addresses of control blocks. */
#define LOWEST_BLOCK 0x1000

/* Bytes of the pattern that a stack must have to prove that the kernel fills stacks with it. */
#define PROOF 16

void session_find_kernel(struct session *s)
{
    (void)kernel_find(s->elf.symtab, &s->kernel);
    free(s->stacks.list);
    s->stacks = (struct session_stacks){.list = NULL};
}

/* A word that is no control block names none. */
static bool may_be_block(const struct session *s, uint64_t word)
{
    size_t len;

    return word >= LOWEST_BLOCK && word % symtab_elf(s->elf.symtab)->addr_size == 0 &&
           !symtab_constant(s->elf.symtab, word, &len);
}

/* Whether control blocks and stacks can be read, and without a halt of hardware. */
static bool may_read(const struct session *s)
{
    bool halts = !s->server.live && !s->server.simulator;

    return s->link && !halts && !target_is_dump(s->options) && s->kernel.name;
}

bool session_read_task(const struct session *session, uint64_t word, char *name, size_t capacity)
{
    const struct session *s = session;

    name[0] = '\0';
    if (word == 0 && s->kernel.name && s->kernel.idle_is_none) {
        snprintf(name, capacity, "idle (no thread)");
        return true;
    }
    return may_read(s) && may_be_block(s, word) &&
           kernel_read_name(&s->kernel, s->elf.symtab, s->link, word, name, capacity);
}

size_t session_stack_bytes(const struct options *options)
{
    bool shown = options->format == FORMAT_JSON;

    for (size_t i = 0; i < options->fields.count; i++)
        shown |= strncmp(options->fields.column[i]->name, "stack_", strlen("stack_")) == 0;
    return shown && options->by == VIEW_BY_CONTEXT ? SIZE_MAX : 0;
}

static struct kernel_stack *stack_of(struct session_stacks *stacks, uint64_t block)
{
    for (size_t i = 0; i < stacks->count; i++)
        if (stacks->list[i].block == block)
            return &stacks->list[i];
    if (!VEC_ROOM(stacks->list, stacks->capacity, stacks->count, 1))
        return NULL;
    stacks->list[stacks->count] = (struct kernel_stack){.block = block};
    return &stacks->list[stacks->count++];
}

/* Reads what it may of each stack, in turn, so that a small budget comes to all of them. */
static void read_stacks(struct session *s, const struct profile_tasks *tasks)
{
    struct session_stacks *stacks = &s->stacks;
    size_t budget = s->options->stack_bytes;

    for (size_t i = 0; i < tasks->count && budget != 0; i++) {
        const struct profile_task *task = &tasks->list[stacks->next++ % tasks->count];
        struct kernel_stack *stack =
            task->has_word && may_be_block(s, task->word) ? stack_of(stacks, task->word) : NULL;
        if (!stack || !kernel_stack_read(&s->kernel, s->link, stack, &budget))
            continue;
        if (stack->at != 0) /* the budget is over: continue there */
            stacks->next--;
        stacks->filled |= stack->known && stack->free >= PROOF;
    }
}

/* A stack without any of the pattern was used whole, unless the kernel fills none. */
static void take_stacks(const struct session *s, struct profile_tasks *tasks)
{
    for (size_t i = 0; i < tasks->count; i++) {
        struct profile_task *task = &tasks->list[i];
        for (size_t n = 0; n < s->stacks.count; n++) {
            const struct kernel_stack *stack = &s->stacks.list[n];
            if (stack->block != task->word)
                continue;
            task->stack_size = stack->size;
            task->stack_free = stack->free;
            task->stack_known = stack->known && s->stacks.filled;
        }
    }
}

static bool is_called(const struct profile_task *task, const char *word)
{
    char *end;
    unsigned long long number = strtoull(word, &end, 0);

    if (strncasecmp(word, "task ", strlen("task ")) == 0)
        word += strlen("task ");
    if (task->name[0] && strcasecmp(task->name, word) == 0)
        return true;
    number = strtoull(word, &end, 0);
    return word[0] != '\0' && *end == '\0' && number == task->word;
}

static void choose(struct session *s, const struct profile_tasks *tasks)
{
    s->context_missing = true;
    memset(s->ignore.contexts, 0, sizeof(s->ignore.contexts));
    for (size_t i = 0; i < tasks->count; i++) {
        const struct profile_task *task = &tasks->list[i];
        bool chosen = is_called(task, s->options->context);
        s->ignore.contexts[task->number] = chosen;
        s->context_missing &= !chosen;
    }
}

static void say_no_context(const struct session *s, char *text, size_t capacity)
{
    const struct vectors *vectors = view_contexts_vectors(s->contexts);
    const char *context = s->options->context;
    char hint[NEAREST_HINT];
    struct nearest nearest;

    nearest_begin(&nearest, context, strlen(context));
    near_handlers(&nearest, s->elf.symtab, vectors);
    nearest_hint(&nearest, "", hint, sizeof(hint));
    snprintf(text, capacity, "--context %s: %s has no exception of this name%s", context,
             s->elf.path, hint[0] ? hint : "; --by context lists them");
}

bool session_take_tasks(struct session *session, bool named, struct profile *profile, char *text,
                        size_t capacity)
{
    struct session *s = session;
    struct profile_tasks *tasks = profile->tasks;

    for (size_t i = 0; tasks && i < tasks->count; i++) {
        struct profile_task *task = &tasks->list[i];
        if (named && !task->asked)
            (void)session_read_task(s, task->word, task->name, sizeof(task->name));
        task->asked |= named;
    }
    if (tasks && named && s->options->stack_bytes != 0 && may_read(s)) {
        read_stacks(s, tasks);
        take_stacks(s, tasks);
    }
    if (!s->context_is_task)
        return true;
    if (tasks)
        choose(s, tasks);
    else
        say_no_context(s, text, capacity);
    return tasks != NULL;
}
