/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff as a table, JSON, CSV, or Markdown. */
#ifndef VIEW_CHANGE_OUTPUT_H
#define VIEW_CHANGE_OUTPUT_H

#include <view/change_columns.h>
#include <view/frame.h>

struct view_change_layout {
    unsigned width; /* cells of a line of the table */
    size_t limit;   /* rows, 0: as many as the format shows */
    const struct view_change_fields *fields;
};

/*
 * All of these show the rows in their order. The table: who is compared, what has to be said, the
 * rows. false: no memory, *frame is untouched; else to be freed with view_frame_free().
 */
bool view_changes_frame(const struct view_change_layout *layout, const struct view_changes *changes,
                        struct view_frame *frame) __attribute__((warn_unused_result));

/*
 * Texts to be freed; NULL: no memory.
 *
 * JSON: one object, no newline. What is not known is null, and so is the ratio of what is new.
 * CSV: a line of names and one a row, all of them.
 * Markdown: for a pull request. Without a limit, the significant rows and a few others; the rest is
 * counted.
 */
char *view_changes_json(const struct view_changes *changes, size_t limit);
char *view_changes_csv(const struct view_change_layout *layout, const struct view_changes *changes);
char *view_changes_markdown(const struct view_change_layout *layout,
                            const struct view_changes *changes);

#endif
