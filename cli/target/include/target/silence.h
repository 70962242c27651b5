/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a target that can be read counts nothing, and what to do about it. */
#ifndef TARGET_SILENCE_H
#define TARGET_SILENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/profile.h>

/* Bytes of a reason. */
#define SILENCE_TEXT 160

/* "samples" or "calls" */
const char *silence_unit(const struct profile *profile);

/* dump: the profile was read from a file (--raw). It does not count, and its switches stay. */

/* The switch that is off and keeps the profile's block from counting, as mprof control shows it,
 * and the command that switches it on. false: all are on, that is not known, or it is a dump;
 * text is then untouched. */
bool silence_switch(const struct profile *profile, bool dump, char text[SILENCE_TEXT]);

/* What the firmware itself has told the stub: it stopped, it sleeps, it is in another phase. false:
 * nothing of that, or it is a dump; text is then untouched. A firmware that sleeps at times is seen
 * asleep at times: only where nothing was counted since the last look does this say why. */
bool silence_firmware(const struct profile *profile, bool dump, char text[SILENCE_TEXT]);

/* Why nothing was counted in the time that delta is of (profile_delta()), on a target that runs.
 * heartbeat: events since its start. */
void silence_reason(const struct profile *delta, bool dump, uint32_t heartbeat,
                    char text[SILENCE_TEXT]);

#endif
