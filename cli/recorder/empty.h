/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why nothing was counted. */
#ifndef RECORDER_EMPTY_H
#define RECORDER_EMPTY_H

#include <recorder/recorder.h>
#include <target/silence.h>

/* Writes why nothing was counted, in all of the time or at its end. */
void recorder_explain(const struct recorder *r, char text[SILENCE_TEXT]);

/* Says that nothing was saved to path, and why: a file that says nothing would look like a
 * measurement. Returns STATUS_FAILED. */
int recorder_fail_empty(const struct recorder *r, const char *path);

#endif
