/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff as JSON, CSV, or Markdown. */
#ifndef TABLE_CHANGE_OUTPUT_H
#define TABLE_CHANGE_OUTPUT_H

#include <table/change_columns.h>

struct view_change_layout {
    unsigned width; /* cells of a line of the table */
    size_t limit;   /* rows, 0: as many as the format shows */
    const struct view_fields *fields;
    bool utf8; /* text may have more than ASCII */
};

/*
 * The rows in their order, as texts to be freed; NULL: no memory.
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
