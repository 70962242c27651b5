/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the ways to update a profile share. */
#ifndef PROFILE_PRIVATE_H
#define PROFILE_PRIVATE_H

#include <profile/profile.h>

/* Returns true if a row still is the one that was read at an earlier update. rows: the table is one
 * of rows (ABI 1.2), whose stamps may become DECODE_STAMP_COMPLETE at the same address. */
bool profile_is_same_row(bool rows, const struct profile_hit *before, uint64_t addr,
                         uint64_t caller, uint32_t stamp);

/* Updates profile->by_context, but for the sums over its rows, and tasks after all else, if the
 * firmware counts samples by task. Returns false if memory runs out. */
bool profile_count_contexts(struct profile *profile, const struct profile_object *objects,
                            size_t object_count);

/* Adds the recent hits to slices, and works out wander; with began, after forgetting earlier ones.
 * Without memory only counting is known. */
void profile_slice(struct profile *profile, bool began);

/* Frees tasks and by_context. */
void profile_forget_contexts(struct profile *profile);

#endif
