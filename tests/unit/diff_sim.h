/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated runs of firmware with known shares, and how often a diff is right about them. */
#ifndef DIFF_SIM_H
#define DIFF_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/diff.h>

#define SIM_ROWS      1000
#define SIM_SNAPSHOTS 3

struct sim {
    uint64_t random;
    size_t count;
    double base[SIM_ROWS], newer[SIM_ROWS]; /* time of each row in arbitrary units */
    double noise[SIM_ROWS];                 /* relative standard deviation between runs */
    uint64_t total;                         /* hits of a snapshot */
    size_t snapshots;                       /* a side */
    struct diff_options options;
    struct diff_hits hits[2][SIM_SNAPSHOTS][SIM_ROWS];
};

double sim_uniform(struct sim *sim);
size_t sim_between(struct sim *sim, size_t low, size_t high);

/* count rows, shares as Zipf's law with that exponent (0: all alike) in random order; both sides
 * are alike, no noise. */
void sim_profile(struct sim *sim, size_t count, double zipf);
/* Gives one row that share of both sides; the others keep theirs among themselves. */
void sim_share(struct sim *sim, size_t row, double share);
/* Draws hits and compares them. The caller frees *out. */
void sim_run(struct sim *sim, struct diff *out);

/* Parts of the trials, counted over all that a scenario asks for. */
struct tally {
    size_t trials;
    size_t changed, found;     /* rows that changed, and those of them that were called so */
    size_t all_found;          /* trials in which all of them were */
    size_t false_trials;       /* trials in which a row that did not change was called changed */
    size_t wrong_way;          /* called changed in the direction that is not its own */
    size_t flagged, untrue;    /* rows called changed, those that had not */
    double untrue_part;        /* sum over trials of untrue / flagged */
    size_t covered, intervals; /* rows whose interval holds their true ratio */
    size_t contested, uneven;
};

void tally_add(struct tally *t, const struct sim *sim, const struct diff *d);
double tally_part(size_t count, size_t all);
void tally_show(const char *what, const struct tally *t);

/* Three standard deviations of a rate that was counted in so many trials. */
double tally_chance(size_t count, double rate);
/* The most that is let pass where 6 % are promised and 5 % are meant. */
double tally_most_false(size_t count);

/* At most 5 % of the trials called a row changed that was not; and of those that were, so many. */
void tally_few_false(const struct tally *t);
void tally_holds(const char *name, const struct tally *t, double found);

#endif
