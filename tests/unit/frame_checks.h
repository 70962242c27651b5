/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The status that a header shows, and the words of a frame. */
#ifndef FRAME_CHECKS_H
#define FRAME_CHECKS_H

#include <stdbool.h>

#include <screen/frame.h>

/* The status of a live target that runs and was never halted, without a message. */
struct view_status make_status(void);

/* Whether some line has the word in it. */
bool contains(const struct view_frame *frame, const char *word);

#endif
