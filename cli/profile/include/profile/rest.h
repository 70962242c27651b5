/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lost hits by region of code: those that are in no row of the target's table. */
#ifndef PROFILE_REST_H
#define PROFILE_REST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Counters of lost hits (docs/layout.md). The lost hits of an address are in the counter of its
 * region; an address with a complete row has none. Zeroed memory means that regions are not known.
 */
struct profile_rest {
    uint64_t *counts;     /* since the last reset, of all cores; owned; NULL: not known */
    uint64_t *recent;     /* hits among them since the update before; same memory as counts */
    size_t count;         /* counters, a power of two */
    unsigned region_size; /* bytes of code of a region, a power of two; regions take turns */
};

/* Makes count counters that are all 0; none if count is 0. The caller frees them with
 * profile_rest_free(). Returns false if memory runs out; *rest is zeroed then. */
bool profile_rest_init(struct profile_rest *rest, size_t count, unsigned region_size)
    __attribute__((warn_unused_result));
void profile_rest_free(struct profile_rest *rest);

/* Makes a copy, which the caller frees. Returns false if memory runs out; *to is zeroed then. */
bool profile_rest_copy(const struct profile_rest *from, struct profile_rest *to)
    __attribute__((warn_unused_result));

/* Returns the index of the counter that has the lost hits of an address. There must be one. */
size_t profile_rest_region(const struct profile_rest *rest, uint64_t addr);

/* Returns the sum of all counters. */
uint64_t profile_rest_sum(const struct profile_rest *rest);

#endif
