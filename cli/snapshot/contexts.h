/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hits of tasks and exceptions of a snapshot, in the comments of its file. */
#ifndef SNAPSHOT_CONTEXTS_H
#define SNAPSHOT_CONTEXTS_H

#include "conditions.h"

/* How such a comment's value begins. */
#define CONTEXTS_KEY "context"

/* Calls say() with a comment for each. Returns false if say() did. */
bool contexts_each(const struct snapshot *s, void *context,
                   bool (*say)(void *context, const char *comment));

/* Takes the value of such a comment. */
enum conditions_take contexts_take(struct snapshot *s, const char *value);

/* Adds hits to those with the same number and name; the name is copied. Returns false if memory
 * runs out. */
bool contexts_add(struct snapshot *s, const struct snapshot_context *context);

/* Makes those of a sum: none, if one of its parts has none. Returns false if memory runs out. */
bool contexts_sum(struct snapshot *s, const struct snapshot *const *all, size_t count);

/* Makes the profile of them within a profile of the samples, if there are any; before recent hits
 * are set. Returns false if memory runs out. */
bool contexts_profile(const struct snapshot *s, struct profile *profile);

#endif
