/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a watch: in the screen's message line, or on stderr if there is no screen. */
#ifndef TARGET_WATCH_TEXT_H
#define TARGET_WATCH_TEXT_H

#include <target/watch.h>

/* Failed readings in a row before a message is printed, and before a run without a screen that
 * never read the table ends. */
#define WATCH_READ_TRIES 3

/* Sets watch->failure and returns STATUS_FAILED. watch_fail_table() says why the table cannot be
 * used. */
int watch_fail(struct watch *watch, const char *format, ...) __attribute__((format(printf, 2, 3)));
int watch_fail_table(struct watch *watch);

/* Reports an event once: prints it to stderr, or shows it for some seconds in the message. */
void watch_notice(struct watch *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints to stderr whether the target runs the ELF file, if that has changed from before and there
 * is no screen. */
void watch_say_match(const struct watch *watch, enum identity before);

#endif
