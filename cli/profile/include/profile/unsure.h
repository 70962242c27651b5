/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why shares of a profile have no intervals. */
#ifndef PROFILE_UNSURE_H
#define PROFILE_UNSURE_H

#include <profile/profile.h>

/* Bits: what is not sure of a headerless table. It does not say what it lost, so only its rows
 * tell. */
enum profile_unsure {
    PROFILE_FADES = 1,    /* rows had fewer hits than before */
    PROFILE_FULL = 2,     /* all rows are in use */
    PROFILE_REPLACES = 4, /* a row is gone: another address took its place */
    PROFILE_SCALE = 8,    /* the number that a hit adds is not known: hits are counts */
};

/* Size of a list of words, bytes with the NUL. */
#define PROFILE_UNSURE_TEXT 160

/* What keeps shares from having intervals. */
enum profile_doubt {
    PROFILE_SURE,
    PROFILE_DOUBT_FIXED,   /* the timer has a fixed period */
    PROFILE_DOUBT_IN_STEP, /* and its samples repeat, see profile/lockstep.h */
    PROFILE_DOUBT_LOCKED,  /* the firmware's tick takes the samples */
    PROFILE_DOUBT_TABLE,   /* the table has no header and is not sure */
};

/* Size of a line about a doubt, bytes with the NUL. */
#define PROFILE_DOUBT_TEXT 240

/* Whether shares of the profile have intervals: not if there is a doubt, since errors are not those
 * of chance then. Calls on an unknown scale have them, since only their number is unknown. */
bool profile_has_intervals(const struct profile *profile);

/* Returns what the hits are called: "samples", "calls", or "counts" if their scale is not known; a
 * constant. */
const char *profile_unit_name(const struct profile *profile);

/* Writes the bits as words for a file, "fades, full", in the order of the alphabet. */
void profile_unsure_words(unsigned unsure, char text[PROFILE_UNSURE_TEXT]);

/* Returns the bits of such a list. Unknown words are left out. */
unsigned profile_unsure_parse(const char *words);

/*
 * Writes one line: what a doubt means for the shares, and what to do; "" if there is none. whose is
 * a word for the profile if there are several ("base"), or NULL. unsure are the bits of a table,
 * 0 if they are not known.
 */
void profile_doubt_text(enum profile_doubt doubt, const char *whose, unsigned unsure,
                        char text[PROFILE_DOUBT_TEXT]);

/* Returns the doubt of a profile, but never PROFILE_DOUBT_IN_STEP: samples that repeat are not
 * looked for. */
enum profile_doubt profile_doubt_of(const struct profile *profile);

/* The same, and writes its line. */
enum profile_doubt profile_doubt(const struct profile *profile, char text[PROFILE_DOUBT_TEXT]);

#endif
