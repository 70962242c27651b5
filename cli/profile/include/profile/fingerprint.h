/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a snapshot holds hits that another one holds too. */
#ifndef PROFILE_FINGERPRINT_H
#define PROFILE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/profile.h>

#define FINGERPRINT_SLOTS 512

/* The hits of one snapshot, in brief. */
struct fingerprint {
    uint64_t slots[FINGERPRINT_SLOTS]; /* hits, by where they are: rows that share a slot add up */
    uint64_t hits;                     /* of all rows */
    int64_t time_ns;                   /* since 1970; 0: not known */
    int64_t duration_ns;               /* 0: not known */
    bool whole;                        /* all since the target's reset, not those of a time */
    const char *build;                 /* hexadecimal, "": not known; the caller's */
    uint64_t bias; /* where it was loaded, less where it was linked to; modulo 2^64 */
};

/* Takes a profile's hits; the other members are the caller's. */
void fingerprint_take(struct fingerprint *fingerprint, const struct profile *profile);

/* The same hits of the same time: one snapshot twice. */
bool fingerprint_same(const struct fingerprint *a, const struct fingerprint *b);

/*
 * Whether all hits of part are among those of in, as an earlier reading of counts that went on is
 * in the next one. Counts only go up: in holds all since the reset of a target with the same build,
 * was not read before part, and has as many hits of everything; and a process stays where it was
 * loaded. A short run may look like that without being it.
 */
bool fingerprint_contains(const struct fingerprint *in, const struct fingerprint *part);

/* Why one of several snapshots is left out. */
enum overlap {
    OVERLAP_NONE,
    OVERLAP_SAME,     /* left out: the other one is the same */
    OVERLAP_PART,     /* left out: the other one contains it */
    OVERLAP_CONTAINS, /* left out: the other one is a run of a time that it contains */
};

struct overlap_verdict {
    enum overlap overlap;
    size_t other; /* the number of the one that it is left out for, which is taken, or left out for
                     another reason */
};

/*
 * Which of count snapshots (NULL: not known, taken) are taken, so that no hit is there twice;
 * verdicts has room for all. As runs of their own: those of a time rather than what contains them,
 * for several show what runs differ by. To be added up (apart false): what contains others rather
 * than them.
 */
void fingerprint_drop_overlapping(const struct fingerprint *const *all, size_t count, bool apart,
                                  struct overlap_verdict *verdicts);

#endif
