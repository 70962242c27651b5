/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds snapshots that contain the same hits, so that no hit is counted twice. */
#ifndef PROFILE_FINGERPRINT_H
#define PROFILE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/profile.h>

/* Number of slots by which two profiles are compared. */
#define FINGERPRINT_SLOTS 512

/* A summary of one snapshot. */
struct fingerprint {
    uint64_t slots[FINGERPRINT_SLOTS]; /* hits by a hash of address and caller */
    uint64_t hits;                     /* of all rows */
    int64_t time_ns;                   /* end of the snapshot since 1970; 0: not known */
    int64_t duration_ns;               /* 0: not known */
    bool whole;                        /* has all hits since the target's reset */
    const char *build;                 /* build-id in hexadecimal, "": not known; borrowed */
    uint64_t bias; /* address where a process was loaded, minus its link address; modulo 2^64 */
};

/* Sets slots and hits from a profile. The caller sets the other members. */
void fingerprint_take(struct fingerprint *fingerprint, const struct profile *profile);

/* Whether both are the same snapshot: the same hits at the same time. */
bool fingerprint_same(const struct fingerprint *a, const struct fingerprint *b);

/*
 * Whether in contains all hits of part, as a later reading of the same counts does: in is whole, of
 * the same build and load address, not older, and has at least as many hits in each slot. A short
 * run of its own may look like that by chance.
 */
bool fingerprint_contains(const struct fingerprint *in, const struct fingerprint *part);

/* Why a snapshot is left out. */
enum overlap {
    OVERLAP_NONE,     /* it is used */
    OVERLAP_SAME,     /* another one is the same snapshot */
    OVERLAP_PART,     /* another one contains it */
    OVERLAP_CONTAINS, /* it contains another one, which is not whole and is used instead */
};

/* What happens to one snapshot. */
struct overlap_verdict {
    enum overlap overlap;
    size_t other; /* index of the snapshot that is the reason; it is used or left out for another
                     reason */
};

/*
 * Decides which of count snapshots to use, so that no hit counts twice, and sets verdicts, an array
 * of count. A snapshot that is NULL is not known and is used. With apart, snapshots are separate
 * runs: those of a time range are preferred to those that contain them, because several runs show
 * how runs differ. Without it they are to be added up, and those that contain others are preferred.
 */
void fingerprint_drop_overlapping(const struct fingerprint *const *all, size_t count, bool apart,
                                  struct overlap_verdict *verdicts);

#endif
