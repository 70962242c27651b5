/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readings of a target that is recorded. */
#ifndef RECORDER_RECORDING_H
#define RECORDER_RECORDING_H

#include <recorder/recorder.h>

/* A target that runs counts; one that counted nothing for so long will not come to an end. */
#define RECORDER_IDLE_S 60.0

/* Reads the target. Returns a status of <base/say.h>; prints a message on failure. */
int recorder_poll(struct recorder *r);

/* Reads it until there is a table, or a signal has come, when there may be none; forgets the counts
 * of an earlier recording. Status: as above. */
int recorder_first_poll(struct recorder *r);

/* Waits until due_s, a time of monotonic_s(), or for a signal; takes what the target sends
 * meanwhile. */
void recorder_drain_until(struct recorder *r, double due_s);

#endif
