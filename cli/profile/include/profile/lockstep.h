/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the samples of a fixed timer repeat in step with the firmware (docs/statistics.md). */
#ifndef PROFILE_LOCKSTEP_H
#define PROFILE_LOCKSTEP_H

#include <profile/recent_window.h>

/* The outcome of the test. */
enum lockstep {
    LOCKSTEP_NOT_TESTED, /* too few samples */
    LOCKSTEP_NOT_FOUND,  /* samples may be in step all the same */
    LOCKSTEP_FOUND,
};

/*
 * Tests the hits of the last minute. LOCKSTEP_FOUND: from second to second they are more alike than
 * independent samples ever are, with a probability below 1e-12 for each call. NULL is allowed: not
 * tested.
 */
enum lockstep lockstep_of(const struct recent_window *window);

#endif
