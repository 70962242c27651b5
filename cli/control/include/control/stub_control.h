/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests to the stub: mprof control. */
#ifndef TARGET_STUB_CONTROL_H
#define TARGET_STUB_CONTROL_H

#include <target/session.h>

/* All functions return a status, and print a message if it is not STATUS_DONE. */

/* Resets the stub's counts on all cores, and waits until that is done. */
int control_reset(struct session *session);

/* Executes the words of a command line after "mprof control"; the last one is NULL. Without words,
 * prints the status. */
int control_words(struct session *session, char **words);

/* Makes the stub ignore events at start <= address < end, in addition to those it ignores. */
int control_ignore_also(struct session *session, uint64_t start, uint64_t end);

/* A switch of the stub. */
struct control_state {
    const char *word; /* "timer", "hooks", or the name of a block; a constant */
    bool on;
};

#define CONTROL_STATES_MAX 16

/* Reads the switches that the stub has, on its first core, and sets *count. */
int control_states(struct session *session, struct control_state states[CONTROL_STATES_MAX],
                   size_t *count);

#endif
