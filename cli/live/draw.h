/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames on a terminal. */
#ifndef LIVE_DRAW_H
#define LIVE_DRAW_H

#include <screen/frame.h>
#include <term/term.h>

/* Draws a whole screen, without showing it yet: the frame from the top, over it the other one at
 * the bottom, and blanks. Lines that are on the screen already are not drawn again, so nothing
 * else may draw between two calls. */
void draw_screen(struct term *term, const struct view_frame *frame, const struct view_frame *over);

#endif
