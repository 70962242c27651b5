/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff on a live screen: what changed since a base, below the header that all screens have. */
#ifndef SCREEN_CHANGE_SCREEN_H
#define SCREEN_CHANGE_SCREEN_H

#include <screen/frame.h>
#include <table/change_columns.h>

/* What to say above the rows, in one line: how much changed, since what base, and what puts it in
 * doubt. true: something does. */
bool view_changes_screen_message(const struct view_changes *changes, char *text, size_t capacity);

/*
 * Adds headings, as many rows as the height leaves, and the keys, below what the frame has:
 * layout->first of the rows is the first one, layout->selected the one under the cursor; lines know
 * the number of their row in changes->rows. fields NULL: base's
 * share, the one now, the row's own change, whether it is beyond noise, and names; more on wide
 * screens. false: no memory.
 */
bool view_changes_screen(const struct view_layout *layout, const struct view_changes *changes,
                         const struct view_fields *fields, struct view_frame *frame)
    __attribute__((warn_unused_result));

#endif
