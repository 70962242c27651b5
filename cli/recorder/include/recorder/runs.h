/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts several runs of a target, one after the other. */
#ifndef RECORDER_RUNS_H
#define RECORDER_RUNS_H

#include <recorder/recorder.h>

/* Those that are complete. Initialise with zeros. */
struct recorder_runs {
    struct snapshot *taken[SNAPSHOT_RUNS_MAX];
    size_t count;
};

/*
 * Takes as many runs as --runs says, after a reset of the target each if --reset-target is given;
 * else of one boot. A run that a signal or a failure cuts short is left out, and those after it.
 * path: as recorder_count() has it.
 *
 * Returns a status of <base/say.h>; prints a message on failure.
 */
int recorder_runs_take(struct recorder *r, const char *path, struct recorder_runs *runs);

/* The mean duration, seconds. There must be one. */
double recorder_runs_mean_s(const struct recorder_runs *runs);

/* Frees all. */
void recorder_runs_free(struct recorder_runs *runs);

#endif
