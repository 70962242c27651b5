/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was counted between two readings of one table. */
#ifndef PROFILE_DELTA_H
#define PROFILE_DELTA_H

#include <profile/profile.h>

/* false: out of memory, *copy is untouched. */
bool profile_copy(const struct profile *profile, struct profile *copy)
    __attribute__((warn_unused_result));

/* Whether both are readings of the same counts, which went on in between or did not. */
bool profile_same_run(const struct profile *base, const struct profile *now);

/*
 * The profile as it would be if its table had been empty at the reading base, of the same run:
 * hits of each row, and counters, without those that were there. Of a row that changed its address
 * meanwhile, what it took over and what was there already cancel out. Hits that decay took away are
 * missing. The time between the two is its last interval, and from_s when base was read. false: out
 * of memory, *delta is untouched.
 */
bool profile_delta(const struct profile *base, const struct profile *now, struct profile *delta)
    __attribute__((warn_unused_result));

#endif
