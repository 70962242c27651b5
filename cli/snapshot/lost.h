/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lost hits of a snapshot, by region of code, in the comments of its file. */
#ifndef SNAPSHOT_LOST_H
#define SNAPSHOT_LOST_H

#include "conditions.h"

/* How such a comment's value begins. */
#define LOST_KEY "rest"

/* Calls say() with comments for the counters that are not 0, which begin with "mprof " and key.
 * Returns false if say() did. */
bool lost_each(const struct profile_rest *rest, const char *key, void *context,
               bool (*say)(void *context, const char *comment));

/* Takes the value of such a comment, without its key. */
enum conditions_take lost_take(struct profile_rest *rest, const char *value);

/*
 * Adds the lost hits of another snapshot. If the regions differ, if only one of the two says in
 * which regions it lost hits, or if its addresses are not those of the sum (moved), the sum has one
 * region for all code. With partial, all samples become so: what one snapshot has, the other may
 * have lost. Returns false if memory runs out.
 */
bool lost_add(struct snapshot *s, const struct snapshot *from, bool moved, bool partial);

#endif
