/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was counted in the last minute, second by second. */
#ifndef PROFILE_RECENT_WINDOW_H
#define PROFILE_RECENT_WINDOW_H

#include <profile/profile.h>

#define RECENT_WINDOW_SECONDS 60

struct window_hit {
    uint64_t addr;      /* of the block */
    uint64_t caller;    /* of an arc, else 0 */
    uint16_t exception; /* in which they came, see profile.exceptions */
    uint64_t hits;
};

/* Events that no row has, and those of all. */
struct window_counts {
    uint32_t events, dropped, ignored, displaced, late, sleeping, other_side;
};

/* About a second, from one update to another: what was counted between them. */
struct window_piece {
    uint64_t number;         /* a later piece has a larger one */
    uint64_t version;        /* grows while it takes more */
    double start_s, end_s;   /* on the clock of the updates */
    struct window_hit *hits; /* a block may come several times; their hits add up */
    size_t count, capacity, merged;
    uint64_t total; /* sum of the hits */
    struct window_counts counts;
};

/* The pieces of the last minute; times between them, when nothing was measured, are missing. */
struct recent_window;

/* NULL: no memory. Free with recent_window_free(). */
struct recent_window *recent_window_new(void);
void recent_window_free(struct recent_window *window);

/*
 * Takes what the rows have that is recent; due after each update of the profile that was successful
 * (the same update twice does no harm). Begins anew when the profile restarted or is of another
 * shape. false: no memory, and this interval is missing.
 */
bool recent_window_add(struct recent_window *window, const struct profile *profile)
    __attribute__((warn_unused_result));

/*
 * The last so many seconds as a profile, under the conditions of now: hits of each block, all of
 * them recent, and what was dropped and the like. Of whole pieces, at least the newest one;
 * recent_s is the seconds that they cover, 0: there are none. false: no memory, *out is untouched.
 * Free with profile_free().
 */
bool recent_window_profile(const struct recent_window *window, const struct profile *now,
                           unsigned seconds, struct profile *out)
    __attribute__((warn_unused_result));

/* The pieces, oldest first, until the next recent_window_add(). */
const struct window_piece *recent_window_pieces(const struct recent_window *window, size_t *count);

/* The clock at the last update that was added, 0: there was none. */
double recent_window_now_s(const struct recent_window *window);

#endif
