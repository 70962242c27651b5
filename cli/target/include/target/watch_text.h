/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a watch says: on the screen's message line, or on stderr where there is no screen. */
#ifndef TARGET_WATCH_TEXT_H
#define TARGET_WATCH_TEXT_H

#include <target/watch.h>

/* Reads that the target may refuse in a row before that is worth a line; and before a run without a
 * screen gives up that never had one. */
#define WATCH_READ_TRIES 3

/* Sets watch->failure and returns STATUS_FAILED. */
int watch_fail(struct watch *watch, const char *format, ...) __attribute__((format(printf, 2, 3)));
int watch_fail_table(struct watch *watch);

/* Says once what has happened: on stderr, or for some seconds in the message. */
void watch_notice(struct watch *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says on stderr whether the ELF is the target's, if that has changed. */
void watch_say_match(const struct watch *watch, enum identity before);

/* Sets the message: what must be known before the numbers are believed, or what is waited for.
 * STATUS_FAILED if that was waited for long enough. */
int watch_comment(struct watch *watch);

#endif
