/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the steps of matching share. */
#ifndef PROFILE_MATCH_PRIVATE_H
#define PROFILE_MATCH_PRIVATE_H

#include <profile/match.h>

struct match {
    struct match_row *rows;
    size_t row_count;
    struct match_key *keys; /* ordered by name, then file */
    size_t count;
    size_t *into; /* key that took a key over; itself if none did */
    double totals[2];
};

/* Whether only that side has the key, and nobody took it over. */
bool match_is_only(const struct match *m, size_t i, int side);
/* base takes over what is only in new. */
void match_join(struct match *m, size_t base, size_t newer);

/* The file without its folders. */
const char *match_last_part(const char *file);
/* Both are above 0 and differ by the factor at most. */
bool match_within(double left, double right, double factor);
/* Sizes that are known are alike. */
bool match_like_sizes(const struct match_key *base, const struct match_key *newer);

/* Joins what is thought to be renamed. false: no memory. */
bool match_renamed(struct match *m);

#endif
