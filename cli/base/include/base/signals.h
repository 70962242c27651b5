/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that ask us to leave become one readable file descriptor. */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <stdbool.h>

/*
 * From now on SIGINT, SIGQUIT, SIGTERM and SIGHUP are only noted, SIGPIPE is an error of write(),
 * and a crash gives the terminal back before it kills us. A second signal does not wait for us,
 * unless signals are held: the terminal may take no output. Returns a file descriptor that is
 * readable once one was noted, -1 on failure. May be called again.
 */
int signals_open(void);

/* A verb's beginning: signals_open(), and a complaint if that fails. */
int signals_begin(void);

/* A verb's end: if a signal cut it short that had no other fault (status is STATUS_DONE), dies of
 * the signal. enough: Ctrl-C is a way to end it, of which nobody dies. Returns status. */
int signals_end(int status, bool enough);

/* What is done with the terminal in a crash, by a signal handler, and with what; NULL: nothing. */
void signals_guard(void (*restore)(const void *terminal), const void *terminal);

/* While another program has the terminal, what is typed there does not end us: SIGINT and SIGQUIT
 * are for it. */
void signals_yield(bool yield);

/* In a child, before exec: as if nothing had been caught or ignored. */
void signals_default(void);

/* The signal that was noted first, 0: none. */
int signals_pending(void);

/* Whether it was Ctrl-C or Ctrl-\\, which asks for the end of a command, not of all. */
bool signals_interrupted(void);

/* Whether what is being done is to end because one was noted. While signals_finish() is on, what a
 * person ended is written down first. */
bool signals_stop(void);
void signals_finish(bool finish);

/* Forgets what was noted. */
void signals_clear(void);

/* A command in a process that is to outlive it: signals_die() only notes for signals_refused() that
 * it was called, and Ctrl-C again and again only interrupts. Returns what was set before. */
bool signals_outlive(bool outlive);
bool signals_refused(void);

/* While signals are held, Ctrl-Z waits and nothing ends us: the target may be halted by us. */
void signals_hold(bool hold);

/* Dies of the signal as if it had never been caught, so that the caller's shell sees it. */
void signals_die(int signal);

#endif
