/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen of an annotated function. */
#ifndef ANNOTATE_ZOOM_FRAME_H
#define ANNOTATE_ZOOM_FRAME_H

#include <annotate/annotate_frame.h>
#include <screen/frame.h>

/* The contents of the screen. All is borrowed for the call. */
struct view_zoom {
    const char *name;                   /* of the function */
    const struct annotation *about;     /* for the title; NULL: not known */
    const struct annotate_frame *notes; /* shown above the panel, as many as fit */
    const struct annotate_frame *panel; /* a line of headings, and lines to scroll */
};

/*
 * Builds layout->height lines: a title, notes, the headings, lines of the panel, and the keys. The
 * panel is scrolled to layout->first, or so that layout->selected is in it; frame->first is the
 * line on top. The row of a panel's line is its index, from 0 on after the headings. If the height
 * is small, first the notes, then the keys, then the headings are left out. The caller frees *frame
 * with view_frame_free(). Returns false if memory runs out; *frame is unchanged then.
 */
bool view_zoom_frame(const struct view_zoom *zoom, const struct view_layout *layout,
                     struct view_frame *frame) __attribute__((warn_unused_result));

#endif
