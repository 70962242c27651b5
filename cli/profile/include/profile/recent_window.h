/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hits of the last minute, in pieces of about a second. */
#ifndef PROFILE_RECENT_WINDOW_H
#define PROFILE_RECENT_WINDOW_H

#include <profile/profile.h>

/* How far back the window reaches, seconds. */
#define RECENT_WINDOW_SECONDS 60

/* Hits of a block of code in one piece; the members are those of struct profile_hit. */
struct window_hit {
    uint64_t addr;
    uint64_t caller;
    uint16_t exception;
    uint64_t hits;
};

/* Counters of struct profile in one piece. */
struct window_counts {
    uint32_t events, dropped, ignored, displaced, late, sleeping, other_side, iterations;
};

/* What was counted in about a second, from one update to another. */
struct window_piece {
    uint64_t number;         /* of the piece, larger than that of earlier pieces */
    uint64_t version;        /* changes if hits are added to the piece */
    double start_s, end_s;   /* by the clock of the updates */
    struct window_hit *hits; /* owned by the window; a block may occur twice */
    size_t count, capacity;  /* entries of hits, and the room for them */
    size_t merged;           /* private: entries after the last merge */
    uint64_t total;          /* sum of the hits */
    uint64_t *rest;          /* lost hits by region, as in profile.rest; owned; NULL: none */
    struct window_counts counts;
};

/* The pieces of the last minute. Times when nothing was measured have no piece. */
struct recent_window;

/* Creates an empty window, which the caller frees. Returns NULL if memory runs out. */
struct recent_window *recent_window_new(void);
/* Frees a window. NULL is allowed. */
void recent_window_free(struct recent_window *window);

/*
 * Adds the recent hits of a profile. Call it after each successful update; a second call for the
 * same update does nothing. If the profile has restarted or is of another table, the window is
 * cleared first. Returns false if memory runs out; these hits are then missing.
 */
bool recent_window_add(struct recent_window *window, const struct profile *profile)
    __attribute__((warn_unused_result));

/*
 * Makes a profile of the last seconds seconds: hits by block, all of them recent, and the counters.
 * All else is that of now. Whole pieces are used, at least the last one; recent_s is the time that
 * they cover, 0 if there are none. The caller frees *out with profile_free(). Returns false if
 * memory runs out; *out is unchanged then.
 */
bool recent_window_profile(const struct recent_window *window, const struct profile *now,
                           unsigned seconds, struct profile *out)
    __attribute__((warn_unused_result));

/* Returns the pieces, oldest first, and sets *count. They are valid until the next
 * recent_window_add(). */
const struct window_piece *recent_window_pieces(const struct recent_window *window, size_t *count);

/* Returns the window of profile.by_context, which lives as long as this one; NULL if no profile had
 * one. */
const struct recent_window *recent_window_by_context(const struct recent_window *window);

/* Returns updated_s of the last profile that was added, 0 if there was none. */
double recent_window_now_s(const struct recent_window *window);

#endif
