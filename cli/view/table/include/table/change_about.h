/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What table and Markdown say alike. */
#ifndef TABLE_CHANGE_ABOUT_H
#define TABLE_CHANGE_ABOUT_H

#include <base/text.h>
#include <ranking/change.h>

/* "30012 samples, 3 snapshots, 30 s, 1000 Hz, dropped 0". */
void change_add_side(struct text *text, const struct view_changes *changes, enum view_side side);

/* What the changes are relative to, and what decided: "relative to the median of the functions". */
void change_add_method(struct text *text, const struct view_changes *changes);

#endif
