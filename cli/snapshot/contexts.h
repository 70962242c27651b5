/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hits of tasks and exceptions of a snapshot, in the comments of its file. */
#ifndef SNAPSHOT_CONTEXTS_H
#define SNAPSHOT_CONTEXTS_H

#include "conditions.h"

/* How such a comment's value begins. */
#define CONTEXTS_KEY     "context"
#define RUN_CONTEXTS_KEY "run-context"

/* Calls say() with a comment for each. Returns false if say() did. */
bool contexts_each(const struct snapshot *s, void *context,
                   bool (*say)(void *context, const char *comment));

/* Take the values of such comments: of all runs together, of one run. */
enum conditions_take contexts_take(struct snapshot *s, const char *value);
enum conditions_take contexts_take_run(struct snapshot *s, const char *value);

/* Adds hits to those with the same run, number and name; the name is copied. Returns false if
 * memory runs out. */
bool contexts_add(struct snapshot *s, const struct snapshot_context *context);

/* Makes those of a sum: none, if one of its parts has none. With runs, those of each run are
 * copied, too. Returns false if memory runs out. */
bool contexts_sum(struct snapshot *s, const struct snapshot *const *all, size_t count, bool runs);

/* Adds those of a snapshot that becomes a run. Returns false if memory runs out. */
bool contexts_add_run(struct snapshot *s, const struct snapshot *from, uint32_t run);

/* Makes the profile of those of a run (0: of all together) within a profile of the samples, if
 * there are any; before recent hits are set. Returns false if memory runs out. */
bool contexts_profile(const struct snapshot *s, uint32_t run, struct profile *profile);

#endif
