/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of the stub. */
#ifndef TARGET_STUB_CONTROL_H
#define TARGET_STUB_CONTROL_H

#include <target/session.h>

/* The stub's counts begin anew. A status; what went wrong is said. */
int control_reset(struct session *session);

/* What the words behind "mprof control" ask for; words end with NULL. */
int control_words(struct session *session, char **words);

/* The stub ignores hits from start up to before end, beside what it ignores already. */
int control_ignore_also(struct session *session, uint64_t start, uint64_t end);

/* A feeder or block that can be switched. */
struct control_state {
    const char *word;
    bool on;
};

#define CONTROL_STATES_MAX 16

/* Those that the stub has, of its first core. */
int control_states(struct session *session, struct control_state states[CONTROL_STATES_MAX],
                   size_t *count);

#endif
