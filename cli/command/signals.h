/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that ask us to leave become one readable file descriptor. */
#ifndef COMMAND_SIGNALS_H
#define COMMAND_SIGNALS_H

#include <stdbool.h>

#include <term/term.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP are only noted, SIGPIPE is an error of write(), and a
 * crash gives the terminal back before it kills us. Returns a file descriptor that is readable once
 * one was noted, -1 on failure.
 */
int signals_open(void);

/* The terminal that a crash gives back; NULL: none. */
void signals_guard(struct term *term);

/* The signal that was noted first, 0: none. */
int signals_pending(void);

/* Ctrl-Z waits until it is allowed again: a target that we hold halted must not stay so. */
void signals_hold_stop(bool hold);

/* Dies of the signal as if it had never been caught, so that the caller's shell sees it. */
void signals_die(int signal);

#endif
