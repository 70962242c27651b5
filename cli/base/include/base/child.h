/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is run, and how it ended. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Exit statuses if a program cannot be run, and what is added to the number of the signal that has
 * ended it, as a shell does. */
#define CHILD_NOT_EXECUTABLE 126
#define CHILD_NOT_FOUND      127
#define CHILD_SIGNAL         128

/* The program. Zeroed memory is none. */
struct child {
    pid_t pid;
    bool ended;
    int status; /* its exit status, or CHILD_SIGNAL and the number of a signal */
};

/* Finds a program as a shell does: in PATH if the name has no '/'. Returns false if there is none
 * that can be executed, and sets *status to one of the above. */
bool child_find(const char *name, char path[PATH_MAX], int *status)
    __attribute__((warn_unused_result));

/*
 * Starts the program at path with these arguments, the last one NULL. output >= 0: a descriptor for
 * its standard output and its standard error if these are terminals; then its standard input is
 * empty if it is one, too. The child calls prepare(context) before it becomes the program. Signals
 * that this process began with ignored or blocked are so in the program. Calls child_signals().
 * Returns false with errno.
 */
bool child_start(struct child *child, const char *path, char **arguments, int output,
                 void (*prepare)(void *context), void *context) __attribute__((warn_unused_result));

/* Whether it has ended; does not wait. Sets ended and status. */
bool child_ended(struct child *child);

/* Waits until it has ended, for timeout_ms or, if that is < 0, as long as it takes. Returns whether
 * it has. */
bool child_wait(struct child *child, int timeout_ms);

/* Until child_default() this process ignores SIGINT and SIGQUIT, which a terminal sends to both,
 * and passes SIGTERM and SIGHUP on, unless it began with them ignored. May be called again. */
void child_signals(const struct child *child);

/* Signals do to this process what they did before. */
void child_default(void);

#endif
