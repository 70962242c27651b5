/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why the counts of a headerless table are not sure. */
#ifndef PROFILE_UNSURE_H
#define PROFILE_UNSURE_H

#include <profile/profile.h>

/* Bits. Such a table does not say what it lost, so only its rows tell. */
enum profile_unsure {
    PROFILE_FADES = 1,    /* rows had fewer hits than before */
    PROFILE_FULL = 2,     /* all rows are in use */
    PROFILE_REPLACES = 4, /* a row is gone: another address took its place */
    PROFILE_SCALE = 8,    /* the number that a hit adds is not known: hits are counts */
};

/* Size of a text, bytes with the NUL. */
#define PROFILE_UNSURE_TEXT 160

/* Whether shares of the profile have intervals: not if its timer is locked to the firmware's tick
 * or has a fixed period, since errors are not those of chance then, or if it is not sure. Calls on
 * an unknown scale have them, since only their number is unknown. */
bool profile_has_intervals(const struct profile *profile);

/* Returns what the hits are called: "samples", "calls", or "counts" if their scale is not known; a
 * constant. */
const char *profile_unit_name(const struct profile *profile);

/* Writes the bits as words for a file, "fades, full", in the order of the alphabet. */
void profile_unsure_words(unsigned unsure, char text[PROFILE_UNSURE_TEXT]);

/* Returns the bits of such a list. Unknown words are left out. */
unsigned profile_unsure_parse(const char *words);

/* Writes one line that says what of its table keeps a profile from having intervals, or "". */
void profile_unsure_reason(const struct profile *profile, char text[PROFILE_UNSURE_TEXT]);

#endif
