/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live screen of mprof top: shows polls and executes keys. */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include <stdbool.h>

#include <target/time_range.h>
#include <target/watch.h>

/* The screen. There is one at a time: it owns the terminal. */
struct live;

/* How live_wait() ended. */
enum live_event {
    LIVE_NOTHING, /* the time is over, or keys were executed */
    LIVE_POLL,    /* a key wants a poll now */
    LIVE_LEAVE,   /* end the screen: a key, a signal, or the terminal is gone */
};

/*
 * Opens the screen on the terminal. watch is open; range is updated by the caller after each poll.
 * options are the user's, and keys change them. All three are borrowed until live_close(). A
 * readable wake_fd ends each wait: that of signals_open(). start_s is the time of monotonic_s()
 * when the verb started.
 *
 * On success *live belongs to the caller, who closes it with live_close(), and the result is
 * STATUS_DONE. On failure prints a message and returns another status.
 */
int live_open(struct options *options, struct watch *watch, struct time_range *range, int wake_fd,
              double start_s, struct live **live);

/* Restores the terminal and frees the screen. NULL is allowed and does nothing. */
void live_close(struct live *live);

/* Shows the result of the last poll. Returns false if memory runs out. */
bool live_show(struct live *live) __attribute__((warn_unused_result));

/* Waits for keys for at most the given seconds, executes them, and shows the result. */
enum live_event live_wait(struct live *live, double seconds);

/* Prints the keys and what they do to stdout, for --help. */
void live_print_keys(void);

#endif
