/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses whose row in the target's table has all of their hits. */
#ifndef PROFILE_COMPLETE_H
#define PROFILE_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile;

/* No hit at these addresses is lost. There are none of arcs: an address is called from several
 * places, of which each has a row. Zeroed memory is an empty list. */
struct profile_complete {
    uint64_t *addrs; /* sorted; owned */
    size_t count;
};

/* Lists the complete rows of a profile. The caller frees the list with profile_complete_free().
 * Returns false if memory runs out; the list is empty then. */
bool profile_complete_list(const struct profile *profile, struct profile_complete *list)
    __attribute__((warn_unused_result));
void profile_complete_free(struct profile_complete *list);

/* Returns whether some address from first on, below end, is in the list. */
bool profile_complete_within(const struct profile_complete *list, uint64_t first, uint64_t end);

#endif
