/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile that a test updates by hand, and the last minute of it. */
#ifndef RECENT_WINDOW_CHECKS_H
#define RECENT_WINDOW_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/recent_window.h>

#define BLOCKS 8

/* Blocks of 16 bytes from 0x1000 on; only rows 0 and 5 get hits. */
struct source {
    struct profile profile;
    struct profile_hit rows[BLOCKS];
};

void source_init(struct source *s);

/* So many more hits of rows 0 and 5 within a time. interval false: it is no interval of the run. */
void count_hits(struct source *s, double seconds, bool interval, uint32_t first, uint32_t second);

/* A window that has its first reading of the profile. Free it with recent_window_free(). */
struct recent_window *window_of(struct source *s);

/* So many more hits within an interval, and a reading after it. */
void add_interval(struct recent_window *window, struct source *s, double seconds, uint32_t first,
                  uint32_t second);

/* Intervals of chance lengths and hits for 50 s: how many hits. */
uint64_t add_at_any_pace(struct recent_window *window, struct source *s);

#endif
