/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference of two readings of the same counts. */
#ifndef PROFILE_DELTA_H
#define PROFILE_DELTA_H

#include <profile/profile.h>

/* Copies a profile with its rows. The caller frees *copy with profile_free(). Returns false if
 * memory runs out; *copy is unchanged then. */
bool profile_copy(const struct profile *profile, struct profile *copy)
    __attribute__((warn_unused_result));

/* Whether two readings are of the same run: no restart, no reset and no other table between them.
 */
bool profile_same_run(const struct profile *base, const struct profile *now);

/*
 * Subtracts an earlier reading base of the same run from now: the hits of each row, and the
 * counters. Of a row whose address was replaced in between, the hits that it inherited cancel out.
 * Hits that decay removed are missing. In the result all hits are recent, recent_s is the time
 * between the readings, and from_s is when base was read.
 *
 * The caller frees *delta with profile_free(). Returns false if memory runs out; *delta is
 * unchanged then.
 */
bool profile_delta(const struct profile *base, const struct profile *now, struct profile *delta)
    __attribute__((warn_unused_result));

#endif
