/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One function from inside, as a screen. */
#ifndef ANNOTATE_ZOOM_FRAME_H
#define ANNOTATE_ZOOM_FRAME_H

#include <annotate/annotate_frame.h>
#include <screen/frame.h>

/* What is on it. All is borrowed. */
struct view_zoom {
    const char *name;                   /* of the function */
    const struct annotation *about;     /* for the title; NULL: nothing is known */
    const struct annotate_frame *notes; /* above the panel, as many as there is room for */
    const struct annotate_frame *panel; /* its headings, one line, and what can be scrolled */
};

/*
 * Builds layout->height lines: a title, notes, the headings, the panel's lines from layout->first
 * on, but so that layout->selected is among them, and the hints. frame->first says where it begins.
 * Lines of the panel have their index, from 0 below the headings, as row. In a small height first
 * the notes, then the hints, then the headings are left out. false: no memory, *frame is untouched.
 */
bool view_zoom_frame(const struct view_zoom *zoom, const struct view_layout *layout,
                     struct view_frame *frame) __attribute__((warn_unused_result));

#endif
