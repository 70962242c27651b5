/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How shares wander, in the comments of a snapshot's file: "mprof wander=8 ADDR:HITS,C1,...,C8
 * ...", and "mprof run-wander=2 8 ADDR:HITS,C1,...,C8 ..." of run 2. */
#ifndef SNAPSHOT_WANDERS_H
#define SNAPSHOT_WANDERS_H

#include "conditions.h"

#define WANDERS_KEY     "wander"
#define RUN_WANDERS_KEY "run-wander"

/* Calls say() with the comments, after wanders_finish(). Returns false if say() did. */
bool wanders_each(const struct snapshot *s, void *context,
                  bool (*say)(void *context, const char *comment));

/* Take the values of such comments. */
enum conditions_take wanders_take(struct snapshot *s, const char *value);
enum conditions_take wanders_take_run(struct snapshot *s, const char *value);

/* Adds the wander of the code at one address. Returns false if memory runs out. */
bool wanders_add(struct snapshot *s, uint64_t addr, const struct wander *wander);

/* Adds one of another snapshot, which has that many cosines. Returns false if memory runs out. */
bool wanders_add_other(struct snapshot *s, const struct snapshot_wander *wander, unsigned cosines);

/* Sorts them, and adds up those of one run and address. */
void wanders_finish(struct snapshot *s);

/* Sets the wander of a profile: that of one run, or of all together if run is 0. Without memory
 * there is none. */
void wanders_profile(const struct snapshot *s, uint32_t run, struct profile *profile);

#endif
