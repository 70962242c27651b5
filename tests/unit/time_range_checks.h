/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A target that is polled once a second, and the time range over these polls. */
#ifndef TIME_RANGE_CHECKS_H
#define TIME_RANGE_CHECKS_H

#include <target/time_range.h>

#include "fake_counts.h"

#define RUNNING GDBMI_STATE_RUNNING
#define HALTED  GDBMI_STATE_HALTED

struct target {
    struct watch watch;
    struct time_range range;
    struct fake_counts counts;
    double now_s;
};

/* What a second look at the target finds: it fails, or a header; and what the link says then. */
struct second_look {
    enum sampler_code code;
    struct decode_header header;
    enum gdbmi_state state;
    unsigned count; /* how often it was taken */
};

extern struct second_look second_look;

/* A target with three empty rows. Frees its range and its profile. */
void start_target(struct target *t, bool restart_on_resume);
void free_target(struct target *t);

/* The target has counted so many more hits in each row. It has started again, with empty rows. */
void count_hits(struct target *t, uint32_t a, uint32_t b, uint32_t c);
void restart(struct target *t, uint32_t boot);

/* A poll, a second after the one before. Of poll_late() so many events come before the second
 * look. */
void poll_as(struct target *t, enum gdbmi_state state);
void poll_late(struct target *t, enum gdbmi_state state, uint32_t late);

/* The profile of the time that is shown, the hits that it has at an address, and that it has
 * those of the three rows and no others. */
const struct profile *shown(const struct target *t);
uint64_t hits_at(const struct profile *p, uint64_t addr);
void assert_hits(const struct target *t, uint64_t a, uint64_t b, uint64_t c);

#endif
