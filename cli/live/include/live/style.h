/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lines of a frame look like on a terminal. */
#ifndef LIVE_STYLE_H
#define LIVE_STYLE_H

#include <screen/frame.h>
#include <term/term.h>

enum term_style style_of(enum view_style style);

#endif
