/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the program complains, and what it ends with. */
#ifndef BASE_SAY_H
#define BASE_SAY_H

#include <stdbool.h>

/* Exit statuses, a contract (docs/mprof.1). */
enum status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_GATE = 3,
};

/* One line on stderr: "mprof: what failed, on what, what to do". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints one more line to stderr as it is, after a complaint that needs it, like a usage line. */
void complain_more(const char *line);
/* While a screen is live nothing is printed: what was complained about is shown there. */
void complain_hold(bool hold);
/* How many there were. */
unsigned complaints(void);
/* What was said last, the beginning of it where it is long; "": nothing. */
const char *complained(void);
/* Where that is, said before it: "line 3"; NULL: nowhere. Borrowed. */
void complain_at(const char *where);
/* complain() with the text as it is; STATUS_FAILED, to be returned. */
int fail(const char *text);

#endif
