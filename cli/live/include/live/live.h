/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live screen of mprof top: what a person sees and types. */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include <stdbool.h>

#include <target/time_range.h>
#include <target/watch.h>

struct live;

/* What a wait ended with. */
enum live_event {
    LIVE_NOTHING,
    LIVE_POLL, /* at once, whatever the delay is */
    LIVE_LEAVE,
};

/*
 * Takes over the terminal. options are what was asked for and change as the person chooses; watch
 * is open, range is kept up with its polls; all are borrowed. wake_fd ends each wait when it is
 * readable. A status; what went wrong is said.
 */
int live_open(struct options *options, struct watch *watch, struct time_range *range, int wake_fd,
              double start_s, struct live **live);

/* Gives the terminal back; NULL does nothing. */
void live_close(struct live *live);

/* Takes what a poll brought, and shows it. false: no memory. */
bool live_show(struct live *live) __attribute__((warn_unused_result));

/* Waits for keys and does what they say, at most so many seconds. */
enum live_event live_wait(struct live *live, double seconds);

/* Prints the table of keys, for --help. */
void live_print_keys(void);

#endif
