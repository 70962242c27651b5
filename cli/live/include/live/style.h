/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The styles of a frame's lines on a terminal. */
#ifndef LIVE_STYLE_H
#define LIVE_STYLE_H

#include <screen/frame.h>
#include <term/term.h>

/* Returns the style of the terminal for a style of a frame. All styles have one, plain text if
 * nothing sets them apart, so that colours are decided here only. */
enum term_style style_of(enum view_style style);

#endif
