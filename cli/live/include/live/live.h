/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live screen of mprof top: shows polls and executes keys. */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include <stdbool.h>

#include <target/time_range.h>
#include <target/watch.h>

/* The screen. There is one at a time: it owns the terminal. */
struct live;

/*
 * Opens the screen on the terminal. watch is open, and must not be used until live_close(). options
 * are the user's, and keys change them. All three are borrowed until live_close(). A readable
 * wake_fd ends each wait: that of signals_open(). start_s is the time of monotonic_s() when the
 * verb started.
 *
 * On success *live belongs to the caller, who closes it with live_close(), and the result is
 * STATUS_DONE. On failure prints a message and returns another status.
 */
int live_open(struct options *options, struct watch *watch, struct time_range *range, int wake_fd,
              double start_s, struct live **live);

/* Restores the terminal at once, waits until the link is not in use any more, and frees the screen;
 * prints a message if that takes a while. NULL is allowed and does nothing. */
void live_close(struct live *live);

/*
 * Polls the watch, shows what was read, and executes keys, until a key or a signal ends the screen,
 * the polls that options ask for are done, or a poll fails. Each use of the link has a thread of
 * its own: the screen does not wait for it. Returns a status. On failure writes one line to
 * failure, to be printed after live_close(). A poll may be under way when it returns.
 */
int live_run(struct live *live, char failure[WATCH_TEXT]);

/* Prints the keys and what they do to stdout, for --help. */
void live_print_keys(void);

#endif
