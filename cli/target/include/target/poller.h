/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses the link of a watch in a thread, so that a screen need not wait for it. */
#ifndef TARGET_POLLER_H
#define TARGET_POLLER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The poller. Each work runs in a thread of its own, from poller_start() to poller_finish():
 * meanwhile the watch and all else that work() uses belong to that thread, and the caller must not
 * touch them. There are no locks: the two calls hand over everything. Members are private.
 */
struct poller {
    pthread_t thread;
    bool busy, threaded;
    int fds[2]; /* a pipe: a byte in it says that the work is done */
    void (*work)(void *context);
    void *context;
    char *said; /* lines that the work complained of, each with its NUL */
    size_t said_len;
};

/* Opens a poller that has nothing to do. Prints a message and returns false on failure. The caller
 * closes it with poller_close(). */
bool poller_open(struct poller *poller) __attribute__((warn_unused_result));

/* Runs work(context) in a thread, or at once if none can be made. The poller must not be busy.
 * Until poller_finish(), Ctrl-Z is delayed and a second signal does not end the program
 * (signals_lend()). The thread takes no signals but those of a crash, and what it complains of is
 * kept. */
void poller_start(struct poller *poller, void (*work)(void *context), void *context);

/* Whether work was started and poller_finish() was not called since. */
bool poller_is_busy(const struct poller *poller);

/* Returns a descriptor that is readable once the work is done, for poll() only. */
int poller_fd(const struct poller *poller);

/* Whether poller_finish() need not wait. */
bool poller_is_done(const struct poller *poller);

/* Waits until the work is done, if there is any, and complains of what it complained of. */
void poller_finish(struct poller *poller);

/* Finishes the work, and closes the poller. */
void poller_close(struct poller *poller);

#endif
