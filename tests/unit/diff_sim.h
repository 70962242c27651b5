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

#endif
