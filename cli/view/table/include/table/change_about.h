/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts about a diff, the same for a table and Markdown. */
#ifndef TABLE_CHANGE_ABOUT_H
#define TABLE_CHANGE_ABOUT_H

#include <base/text.h>
#include <ranking/change.h>

/* Appends what a side consists of: "30012 samples, 3 snapshots, 30 s, 1000 Hz, lost 0". */
void change_add_side(struct text *text, const struct view_changes *changes, enum view_side side);

/* Appends what the changes are relative to, and how they were tested: "changes are relative to the
 * median of the functions". */
void change_add_method(struct text *text, const struct view_changes *changes);

/* Adds a note and what to do about it. */
void change_add_note(struct text *t, const struct view_note *note);

#endif
