/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that end the program, as a file descriptor and flags. The state belongs to the process.
 * signals_pending(), signals_stop() and signals_given_up() may be called by any thread, all else by
 * the first one. */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <stdbool.h>

/*
 * Catches SIGINT, SIGQUIT, SIGTERM and SIGHUP: the first one is recorded, and the program ends when
 * it next asks. A second one ends it at once, because it may hang in output to a terminal, unless
 * signals_hold() is on. Ignores SIGPIPE. Fatal signals call the function of signals_guard() first.
 * Until a recorded signal is forgotten, SIGALRM interrupts system calls that block, such as a write
 * to a pipe that nobody reads, once a second; not while signals_hold() or signals_finish() is on.
 * Returns a descriptor that is readable once a signal is recorded, for poll() only; it stays open.
 * Returns -1 on failure. May be called again, and then returns the same descriptor.
 */
int signals_open(void);

/* Begins a verb: calls signals_open(), prints a message if that fails, and returns its result. */
int signals_begin(void);

/* Ends a verb. If a signal interrupted it and status is STATUS_DONE, dies of that signal, so that a
 * shell sees why. With enough, Ctrl-C is the normal way to end the verb, and does not do that.
 * Returns status. */
int signals_end(int status, bool enough);

/* Sets a function that restores the terminal, and its argument; NULL: none. Fatal signals call it
 * from a signal handler, so it must be async-signal-safe. */
void signals_guard(void (*restore)(const void *terminal), const void *terminal);

/* Ignores SIGINT and SIGQUIT while another program uses the terminal, and catches them afterwards.
 */
void signals_yield(bool yield);

/* Remembers what signals do and which are blocked, at the beginning of the process, before any
 * other call. Without it, the process counts as one that began with no signal ignored or blocked.
 */
void signals_inherit(void);

/* Whether this process began with the signal ignored, as by nohup. */
bool signals_ignored(int signal);

/* Restores what signals_inherit() remembered, in a child process before exec(). */
void signals_default(void);

/* Returns the recorded signal, 0 if there is none. */
int signals_pending(void);

/* Whether the recorded signal is Ctrl-C or Ctrl-\, which ends a command but not the shell. */
bool signals_interrupted(void);

/* Whether to stop the current work because a signal is recorded. After signals_finish(true) the
 * answer is false, so that the result of work that the user ended can be written; but once the next
 * signal comes, which then does not end the program, it is true. */
bool signals_stop(void);
void signals_finish(bool finish);

/* Makes signals_stop() true without a signal: nobody waits for the result of the current work. */
void signals_give_up(bool give_up);
bool signals_given_up(void);

/* Forgets a recorded SIGINT or SIGQUIT. A recorded signal that ends the program stays. */
void signals_clear(void);

/* Makes signals end a command and not the process, for commands of 'mprof shell': signals_die()
 * only records its call for signals_refused(), and repeated Ctrl-C does not kill. Returns the
 * setting before. */
bool signals_outlive(bool outlive);
bool signals_refused(void);

/* Delays Ctrl-Z, and lets a second signal not end the program, while it may hold the target halted.
 */
void signals_hold(bool hold);

/* The same while another thread may hold the target halted; what the calling thread writes can
 * still be interrupted. That thread must have all signals blocked. */
void signals_lend(bool lend);

/* Ends the process by a signal as if that had never been caught, so that the calling shell sees it.
 * Returns only after signals_outlive(true). */
void signals_die(int signal);

#endif
