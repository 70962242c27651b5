/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff as lines of text: mprof diff. */
#ifndef SCREEN_CHANGE_TEXT_H
#define SCREEN_CHANGE_TEXT_H

#include <screen/frame.h>
#include <table/change_output.h>

/* Builds a frame: the sides, the notes, and the rows in their order. The caller frees *frame with
 * view_frame_free(). Returns false if memory runs out; *frame is unchanged then. */
bool view_changes_frame(const struct view_change_layout *layout, const struct view_changes *changes,
                        struct view_frame *frame) __attribute__((warn_unused_result));

#endif
