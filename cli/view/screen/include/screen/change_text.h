/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff as lines of text. */
#ifndef SCREEN_CHANGE_TEXT_H
#define SCREEN_CHANGE_TEXT_H

#include <screen/frame.h>
#include <table/change_output.h>

/* Who is compared, what has to be said, the rows in their order. false: no memory, *frame is
 * untouched; else to be freed with view_frame_free(). */
bool view_changes_frame(const struct view_change_layout *layout, const struct view_changes *changes,
                        struct view_frame *frame) __attribute__((warn_unused_result));

#endif
