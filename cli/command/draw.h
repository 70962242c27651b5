/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames on a terminal. */
#ifndef COMMAND_DRAW_H
#define COMMAND_DRAW_H

#include <term/term.h>
#include <view/frame.h>

/* Draws the frame from a row of the screen down, over what is there, without showing it yet. */
void draw_frame(struct term *term, int row, const struct view_frame *frame);

/* Draws one of its lines at a row of the screen, without showing it yet. */
void draw_line(struct term *term, int row, const struct view_line *line);

#endif
