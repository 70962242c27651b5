/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages on stderr, and exit statuses. What is set and counted here belongs to the calling
 * thread. */
#ifndef BASE_SAY_H
#define BASE_SAY_H

#include <stdbool.h>

/* Exit statuses. Scripts rely on them (docs/mprof.1). */
enum status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1, /* a message says why */
    STATUS_USAGE = 2,  /* the command line is wrong; a message says why */
    STATUS_GATE = 3,   /* a check of --fail-above and the like was not passed */
};

/* Prints one line to stderr: "mprof: what failed, on what, what to do". Line breaks in it become
 * blanks, and unsafe characters are replaced as in utf8_shown(). A terminal gets lines of its width,
 * broken at blanks. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints another line to stderr as it is, after a message that needs it, like a usage line. */
void complain_more(const char *line);

/* Switches printing off and on. While the live screen is shown nothing is printed, and the screen
 * shows complained(). */
void complain_hold(bool hold);

/* Gives the lines of the calling thread to take() instead of printing them, each without "mprof: "
 * and valid during the call only; take NULL: prints them again. */
void complain_to(void (*take)(void *context, const char *line), void *context);

/* Returns the number of messages so far, printed or not. */
unsigned complaints(void);

/* Returns the last message without "mprof: ", cut to 1023 bytes; "" if there was none. It is valid
 * until the next message. */
const char *complained(void);

/* Forgets the last message: what it asked for is done. */
void complaint_forget(void);

/* Sets a place that is printed before each message, like "line 3"; NULL: none. It is borrowed until
 * the next call. */
void complain_at(const char *where);

/* Prints text as complain() does, and returns STATUS_FAILED. */
int fail(const char *text);

#endif
