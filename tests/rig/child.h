/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that the rig starts, and their end. */
#ifndef RIG_CHILD_H
#define RIG_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "fault.h"

#define CHILD_ARGS 96

/* A command line under construction, ended by NULL all the time. */
struct child_args {
    char *list[CHILD_ARGS + 1];
    int count;
    int niceness; /* see nice(2) */
    bool full; /* an argument did not fit or there was no memory: child_start() will say so */
};

struct child {
    char name[32];      /* for the user; "": was never started */
    pid_t pid;          /* 0: was not started, or has ended and was waited for */
    int status;         /* as of waitpid(), once it has ended */
    char log[PATH_MAX]; /* its stdout and stderr */
};

/* Both copy what they are given. */
void child_args_add(struct child_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void child_args_free(struct child_args *args);

/*
 * Starts args->list[0], searched for in PATH, with its output in "<folder>/<name>.log". It is
 * killed when the rig dies, however that happens. Descriptors in keep (count of them) stay open in
 * it. 0, or -1 (a program that is not there is seen by
 * child_alive() only).
 */
int child_start(struct child *child, const struct child_args *args, const char *name,
                const char *folder, const int *keep, int count, struct fault *fault);

/* False once the program has ended. */
bool child_alive(struct child *child);

/* Asks it to end, kills it after some seconds, and waits for it. Nothing when it has ended. */
void child_end(struct child *child);

/* Kills it at once, waits for it, and makes child one that was never started. */
void child_kill(struct child *child);

/* Sets the fault to "<name> ended (...): <last line of its log>". Returns -1. */
int child_fault(const struct child *child, struct fault *fault);

#endif
