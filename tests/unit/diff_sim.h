/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated runs of firmware with known shares, and how often a diff is right about them. */
#ifndef DIFF_SIM_H
#define DIFF_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/diff.h>

#define SIM_ROWS      1000
#define SIM_SNAPSHOTS 8

/* How runs of one build differ. */
enum sim_noise {
    SIM_EACH,     /* each row for itself, by noise of the row; normal logarithms */
    SIM_TOGETHER, /* rows that have noise move together */
    SIM_TAILS,    /* each for itself, Student's t with 3 degrees of freedom */
    SIM_OUTLIERS, /* a row is off by 25 % in 1 % of the runs */
};

struct sim {
    uint64_t random;
    size_t count;
    double base[SIM_ROWS], newer[SIM_ROWS]; /* time of each row in arbitrary units */
    double noise[SIM_ROWS];                 /* relative standard deviation between runs */
    enum sim_noise kind;
    double load;     /* relative standard deviation of the work of a run */
    double idle;     /* row 0 is idle, and takes this part of base's time and what is left of new's;
                      * 0: no row is */
    bool iterations; /* of the main loop are known */
    uint64_t total;  /* hits of a run */
    size_t snapshots; /* runs a side */
    size_t fewer;     /* of new, if not 0 */
    struct diff_options options;
    bool idles[SIM_ROWS];
    struct diff_hits hits[2][SIM_SNAPSHOTS][SIM_ROWS];
    double work[2][SIM_SNAPSHOTS];
};

/* count rows, shares as Zipf's law with that exponent (0: all alike) in random order; both sides
 * are alike, no noise. */
void sim_profile(struct sim *sim, size_t count, double zipf);
/* Hits of a run with these times, exactly total, multinomially. */
void sim_draw(struct sim *sim, const double *times, uint64_t total, struct diff_hits *hits);
/* Gives one row that share of both sides; the others keep theirs among themselves. */
void sim_share(struct sim *sim, size_t row, double share);
/* Draws hits and compares them. The caller frees *out. */
void sim_run(struct sim *sim, struct diff *out);

/* Parts of the trials, counted over all that a scenario asks for. */
struct tally {
    size_t trials;
    size_t changed, found;     /* rows that changed, and those of them that were called so */
    size_t false_trials;       /* trials in which a row that did not change was called changed */
    size_t wrong_way;          /* called changed in the direction that is not its own */
    size_t covered, intervals; /* rows whose interval holds their true ratio */
    size_t contested;
};

void tally_add(struct tally *t, const struct sim *sim, const struct diff *d);
double tally_part(size_t count, size_t all);
void tally_show(const char *what, const struct tally *t);

/* Three standard deviations of a rate that was counted in so many trials. */
double tally_chance(size_t count, double rate);
/* Fails if a row was called changed that had not in more trials than the 6 % that are promised; in
 * few trials, in more than chance makes of the 5 % that are meant. */
void tally_few_false(const struct tally *t);

#endif
