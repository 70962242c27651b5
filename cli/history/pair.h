/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two points of a trend that are compared. */
#ifndef HISTORY_PAIR_H
#define HISTORY_PAIR_H

#include <profile/match.h>

#include "points.h"

/* Zeroed but for the sides, it is to be freed in any case. */
struct pair {
    const struct point_data *sides[2]; /* base, new */
    struct match_row *rows;            /* of base, then of new */
    struct match_key *keys;            /* functions of both */
    size_t key_count;
    struct diff_snapshot *snapshots[2];
    struct diff_hits *hits[2]; /* of all snapshots */
    struct diff diff;          /* a row for each key */
};

/* Finds which functions are the same. false: no memory. */
bool pair_match(struct pair *pair);
void pair_free(struct pair *pair);

/* The key of a side's row. */
size_t pair_key(const struct pair *pair, int side, size_t row);

/* What changed at each key. *why is then NULL, else it says why that is not known. false: no
 * memory. */
bool pair_compare(struct pair *pair, const char **why);

#endif
