/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of one program, followed through its points. */
#ifndef HISTORY_FOLLOW_H
#define HISTORY_FOLLOW_H

#include <base/nearest.h>
#include <history/trend.h>
#include <ranking/change_set.h>

#include "points.h"

/* A question on its way through one program's points. */
struct search {
    const struct history *history;
    const struct history_question *question;
    const struct series *series;
    /* Two points: the new side, and the one before in time as base. A part's mark is the number of
     * the trend that it is of, counted from 1; 0: nobody asked for it. */
    struct view_set *set;
    size_t shown; /* points of the series that are shown */
    struct view_trends *trends;
    size_t trend_room; /* in the array of them */
    size_t first;      /* this program's first trend */
    /* What each point is to a function that it does not have; of the first ones, so far. */
    struct view_trend_point *common;
    size_t common_count;
    bool unqualified;    /* the pattern may be the end of a name from a "::" on */
    struct nearest near; /* of the names that are not asked for, the nearest to the pattern */
    char near_name[NEAREST_MAX + 1];
    bool failed; /* no memory */
};

/* Adds the trends of all functions of the series that are asked for, from its newest point back. */
void follow_series(struct search *search);

/* Whether who asked wants no more of it. */
bool follow_is_stopped(const struct search *search);

#endif
