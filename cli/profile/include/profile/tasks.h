/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks and exceptions by numbers, and what they are called. */
#ifndef PROFILE_TASKS_H
#define PROFILE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a sample interrupted is a number: 0 is a thread of which nothing else is known; 1 to 511 is
 * that exception; from here on it is a task of struct profile_tasks, by its index. */
#define PROFILE_TASK_FIRST 512
/* Tasks, and in a table also exceptions, for which the firmware or mprof had no room. */
#define PROFILE_OTHERS 767
/* All numbers are below that. */
#define PROFILE_CONTEXTS 768

/* Bytes of a name. */
#define PROFILE_TASK_NAME 64

/* A task, or in a snapshot also an exception. */
struct profile_task {
    unsigned number;              /* PROFILE_TASK_FIRST and more; or that of the exception */
    uint64_t word;                /* what the firmware calls the task: MPROF_TASK */
    bool has_word;                /* which is known */
    bool asked;                   /* its name was asked for */
    bool stack_known;             /* stack_free was counted */
    uint64_t stack_size;          /* bytes of its stack; 0: not known */
    uint64_t stack_free;          /* bytes of them that were never used */
    char name[PROFILE_TASK_NAME]; /* "": not known */
};

/* The tasks that were met, in that order. */
struct profile_tasks {
    struct profile_task *list; /* owned */
    size_t count, capacity;
};

/* Frees them. NULL is allowed. */
void profile_tasks_free(struct profile_tasks *tasks);

/* Sets *copy to a copy, or NULL if tasks is NULL. Returns false if memory runs out. */
bool profile_tasks_copy(const struct profile_tasks *tasks, struct profile_tasks **copy);

/* Returns the number of a task, which is added if it is new; PROFILE_OTHERS if there are too many
 * or memory runs out. *tasks may be NULL, and is then made. */
unsigned profile_tasks_number(struct profile_tasks **tasks, uint64_t word);

/* Makes *tasks have all tasks of from under the same numbers; the names that it has stay. Returns
 * false if memory runs out. */
bool profile_tasks_follow(struct profile_tasks **tasks, const struct profile_tasks *from);

/* Names a number; an entry is added if there is none. Returns false if memory runs out. */
bool profile_tasks_name(struct profile_tasks **tasks, unsigned number, const char *name);

/* Returns what is known of a number, or NULL. tasks may be NULL. */
const struct profile_task *profile_tasks_find(const struct profile_tasks *tasks, unsigned number);

/* Whether a number is that of an exception. */
static inline bool profile_is_exception(unsigned number)
{
    return number != 0 && number < PROFILE_TASK_FIRST;
}

#endif
