/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts a profile of a target: of now, or over a time. */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include <profile/profile.h>
#include <snapshot/snapshot.h>
#include <target/watch.h>

/* What is counted. Times ending in _s are of monotonic_s(). */
struct recorder {
    const struct options *options; /* borrowed */
    struct watch watch;            /* to be run by watch_run() */
    struct profile delta;          /* what was counted, as of the last reading */
    bool begun;                    /* whether counting has begun; until then delta is empty */

    /* Private to the recorder. */
    int wake_fd;
    struct profile base; /* the reading that the counts are taken from */
    unsigned restarts;   /* of the target, that were seen */
    bool idle;           /* nothing was counted for too long */
    double counted_s;    /* when the last hit came */
};

/* Whether the options ask to count over a time, until --duration, --hits or --precision. */
bool recorder_is_over_time(const struct options *o);

/* Starts with no counts. wake_fd is readable once a signal has come (signals_begin()). */
void recorder_init(struct recorder *r, const struct options *options, int wake_fd);

/*
 * Counts once, within watch_run(); a second call starts with no counts. What was counted before a
 * signal or a failure stays in delta.
 *
 * Returns STATUS_DONE, also when a signal has ended it. Returns another status of <base/say.h>,
 * after a message, if the target cannot be read, if nothing is counted for 60 s without
 * --duration, or if nothing was counted at all: then the message says why, and that nothing is
 * saved to path ("": to a new file of --store). After a signal that last message comes only for
 * SIGINT, once some time has passed.
 */
int recorder_count(struct recorder *r, const char *path);

/* Makes a snapshot of what was counted. Returns NULL on failure, and prints a message. Free it with
 * snapshot_free(). */
struct snapshot *recorder_make(const struct recorder *r);

/* Frees the counts, not the watch. */
void recorder_free(struct recorder *r);

#endif
