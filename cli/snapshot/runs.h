/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a snapshot in the comments of its file: "mprof run=2 TIME DURATION DROPPED IGNORED
 * SLEEPING EVENTS ITERATIONS", and "mprof run-rest=2 64*256 3:17" as for all of them. */
#ifndef SNAPSHOT_RUNS_H
#define SNAPSHOT_RUNS_H

#include "conditions.h"

#define RUN_KEY      "run"
#define RUN_LOST_KEY "run-rest"

/* Calls say() with the comments of each run. Returns false if say() did. */
bool runs_each(const struct snapshot *s, void *context,
               bool (*say)(void *context, const char *comment));

/* Take the values of such comments. Runs come in their order, a run before what it lost. */
enum conditions_take runs_take(struct snapshot *s, const char *value);
enum conditions_take runs_take_lost(struct snapshot *s, const char *value);

/* Adds a run at the end. Returns false if memory runs out, or if there are too many. */
bool runs_add(struct snapshot *s, const struct snapshot_run *run);

/* Copies the runs of another snapshot. Returns false if memory runs out. */
bool runs_copy(struct snapshot *s, const struct snapshot *from);

/* Frees the runs. */
void runs_free(struct snapshot *s);

#endif
