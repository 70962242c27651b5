/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two builds that are made up, snapshots of them, and the rows of their diff. */
#ifndef CHANGE_CHECKS_H
#define CHANGE_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <screen/change_text.h>
#include <table/change_output.h>

/* One function of a made up build: 16 bytes from addr. */
struct place {
    uint64_t addr;
    const char *function, *file;
    unsigned line;
};

/* A build, and its functions by address. */
struct made_build {
    const char *id;
    struct place places[8];
};

/* What make_changes() takes as --noise: 0, so that one run a side is judged by counting. */
extern double noise_between_runs;

extern const struct made_build old_build, new_build;

/* What a test says of one snapshot; hits are of the build's places. */
struct sample {
    const struct made_build *build;
    uint64_t hits[8];
    const char *unit; /* NULL: samples */
    double sample_hz, duration_s;
    uint32_t dropped, inherited; /* of each row's hits */
    bool locked, fixed, arcs;
};

/* Adds it to that side; false and a message of up to 600 bytes in text if it is refused. */
bool add_sample(struct view_set *set, enum view_side side, const struct sample *s, char *text);

/* The same program in the two builds: one function is slower, one is gone, one is new. */
extern const struct sample before, after;

/* A set and the rows that come of it. */
struct made {
    struct view_set *set;
    struct view_changes c;
};

/* The rows, in their usual order. The caller drops them with drop_changes(). */
struct made make_changes_of(enum view_by by, const struct sample *base, size_t base_count,
                            const struct sample *newer, size_t new_count);
struct made make_changes(enum view_by by, const struct sample *base, const struct sample *newer);

void drop_changes(struct made *m);

#endif
