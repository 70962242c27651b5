/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains why a target that can be read counts no hits, and what to do. */
#ifndef TARGET_SILENCE_H
#define TARGET_SILENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/profile.h>

/* Size of a reason, bytes with the NUL. */
#define SILENCE_TEXT 160

/* In all functions below, dump says that the profile was read from a file (--raw), which never
 * counts. A reason is one line; text is unchanged if a function returns false. */

/* Writes which switch of 'mprof control' is off and prevents counting, and the command that
 * switches it on. Returns false if all are on, if that is not known, or for a dump. */
bool silence_switch(const struct profile *profile, bool dump, char text[SILENCE_TEXT]);

/* Writes what the firmware has told the stub: it has stopped counting, sleeps, or is in another
 * phase. Returns false if it did none of these, or for a dump. Firmware sleeps at times, so this is
 * a reason only if there were no hits since the last reading. */
bool silence_firmware(const struct profile *profile, bool dump, char text[SILENCE_TEXT]);

/* Writes why a running target counted nothing in the time of delta, which profile_delta() made.
 * heartbeat is the number of events since the target's start. */
void silence_reason(const struct profile *delta, bool dump, uint32_t heartbeat,
                    char text[SILENCE_TEXT]);

#endif
