/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff on the live screen: what has changed since a base. */
#ifndef SCREEN_CHANGE_SCREEN_H
#define SCREEN_CHANGE_SCREEN_H

#include <screen/frame.h>
#include <table/change_columns.h>

/* Writes the line above the rows: how much has changed, since which base, and the most important
 * warning. Returns whether there is a warning. */
bool view_changes_screen_message(const struct view_changes *changes, char *text, size_t capacity);

/*
 * Appends headings, as many rows as fit into the height, and the keys to a frame that has a header.
 * layout->first is the row on top, layout->selected the row under the cursor; both, and the row of
 * a line, are indexes in changes->rows. fields NULL: columns for the width of the screen. Returns
 * false if memory runs out; the caller frees the frame in any case.
 */
bool view_changes_screen(const struct view_layout *layout, const struct view_changes *changes,
                         const struct view_fields *fields, struct view_frame *frame)
    __attribute__((warn_unused_result));

#endif
