/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call stacks of samples: each once, with the number of samples that had it. */
#ifndef PROFILE_STACKS_H
#define PROFILE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest stack that is kept; what is beyond is cut. */
#define PROFILE_STACK_DEPTH 128

/* One stack. Its addresses are addrs[first] to addrs[first + depth - 1] of the list: the sample's
 * own address, then the addresses that each call returns to, innermost first. */
struct profile_stack {
    size_t first, depth;
    uint64_t hits;
    uint16_t context; /* what was interrupted, a number of profile/tasks.h */
    bool cut;         /* there are further callers, which are not known */
};

/* The list. An entry keeps its index when others are added. */
struct profile_stacks {
    struct profile_stack *list; /* owned */
    size_t count, capacity;
    uint64_t *addrs; /* owned */
    size_t addr_count, addr_capacity;
    uint32_t *index; /* hash table, owned: index of an entry plus 1, 0: free */
    size_t index_size;
    uint64_t cut; /* samples whose stacks are cut */
};

/* Counts a sample with these addresses, at least one. *stacks may be NULL, and is then made.
 * Returns false if memory runs out; the counts are unchanged then. */
bool profile_stacks_add(struct profile_stacks **stacks, const uint64_t *addrs, size_t depth,
                        uint16_t context, bool cut) __attribute__((warn_unused_result));

/* Adds hits samples that have these addresses. */
bool profile_stacks_add_hits(struct profile_stacks **stacks, const uint64_t *addrs, size_t depth,
                             uint16_t context, bool cut, uint64_t hits)
    __attribute__((warn_unused_result));

/* Returns the number of samples, 0 if stacks is NULL. */
uint64_t profile_stacks_hits(const struct profile_stacks *stacks);

/* Sets *copy to a copy, or NULL if stacks is NULL. Returns false if memory runs out. */
bool profile_stacks_copy(const struct profile_stacks *stacks, struct profile_stacks **copy)
    __attribute__((warn_unused_result));

/* Subtracts the hits of an earlier reading of the same stacks. Each may be NULL. */
void profile_stacks_subtract(struct profile_stacks *stacks, const struct profile_stacks *before);

/* Frees them. NULL is allowed. */
void profile_stacks_free(struct profile_stacks *stacks);

#endif
