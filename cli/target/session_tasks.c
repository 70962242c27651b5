/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the target's tasks are called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <base/nearest.h>
#include <load/near_names.h>

#include "session_parts.h"

/* Lower addresses are numbers of tasks, not addresses of control blocks. */
#define LOWEST_BLOCK 0x1000

/* The kernels whose control blocks have a name: a symbol that each has, so that debug information
 * is not searched for nothing. */
static const struct kernel {
    const char *symbols[3];
    const char *structure, *member;
} kernels[] = {
    {{"pxCurrentTCB", "pxCurrentTCBs", NULL}, "tskTaskControlBlock", "pcTaskName"}, /* FreeRTOS */
    {{"_kernel", NULL}, "k_thread", "name"},                                        /* Zephyr */
};

#define KERNELS (sizeof(kernels) / sizeof(kernels[0]))

_Static_assert(KERNELS == sizeof(((struct session *)0)->task_types) /
                              sizeof(((struct session *)0)->task_types[0]),
               "each kernel has a type");

static bool has_symbol(const struct symtab *symtab, const struct kernel *kernel)
{
    uint64_t addr, size;

    for (size_t i = 0; kernel->symbols[i]; i++)
        if (symtab_object(symtab, kernel->symbols[i], &addr, &size))
            return true;
    return false;
}

void session_find_task_types(struct session *s)
{
    memset(s->task_types, 0, sizeof(s->task_types));
    for (size_t i = 0; i < KERNELS; i++) {
        struct session_task_type type;
        if (has_symbol(s->elf.symtab, &kernels[i]) &&
            symtab_find_text_member(s->elf.symtab, kernels[i].structure, kernels[i].member,
                                    &type.offset, &type.size))
            s->task_types[i] = type;
    }
}

/* Whether these bytes begin with a name that ends among them. */
static bool is_name(const char *bytes, size_t len)
{
    size_t i = 0;

    while (i < len && (unsigned char)bytes[i] >= ' ' && bytes[i] != 0x7f)
        i++;
    return i != 0 && i < len && bytes[i] == '\0';
}

/* A word that is no control block names none. */
static bool may_be_block(const struct session *s, uint64_t word)
{
    size_t len;

    return word >= LOWEST_BLOCK && word % symtab_elf(s->elf.symtab)->addr_size == 0 &&
           !symtab_constant(s->elf.symtab, word, &len);
}

bool session_read_task(const struct session *session, uint64_t word, char *name, size_t capacity)
{
    const struct session *s = session;
    bool halts = !s->server.live && !s->server.simulator;

    name[0] = '\0';
    if (!s->link || halts || target_is_dump(s->options) || !may_be_block(s, word))
        return false;
    for (size_t i = 0; i < KERNELS; i++) {
        const struct session_task_type *type = &s->task_types[i];
        size_t len = type->size < capacity ? (size_t)type->size : capacity;
        if (len == 0 || gdbmi_link_read(s->link, word + type->offset, name, len) != GDBMI_OK ||
            !is_name(name, len))
            continue;
        return true;
    }
    name[0] = '\0';
    return false;
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
    if (!s->context_is_task)
        return true;
    if (tasks)
        choose(s, tasks);
    else
        say_no_context(s, text, capacity);
    return tasks != NULL;
}
