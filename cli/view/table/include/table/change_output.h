/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a diff as JSON, CSV or Markdown. */
#ifndef TABLE_CHANGE_OUTPUT_H
#define TABLE_CHANGE_OUTPUT_H

#include <table/change_columns.h>

/* How to write a diff. */
struct view_change_layout {
    unsigned width;                   /* cells of a line; 0: no limit */
    size_t limit;                     /* largest number of rows, 0: as many as the format shows */
    const struct view_fields *fields; /* the columns; borrowed */
    bool utf8;                        /* text may have more than ASCII */
};

/*
 * Return the rows in their order as text. The caller frees it with free(). Return NULL if memory
 * runs out.
 *
 * JSON is one object without a newline; what is not known is null, and so is the ratio of a new
 * row. CSV has a line of names and a line for each row. Markdown is for a pull request: without a
 * limit it has the significant rows and some others, and counts the rest.
 */
char *view_changes_json(const struct view_changes *changes, size_t limit);
char *view_changes_csv(const struct view_change_layout *layout, const struct view_changes *changes);
char *view_changes_markdown(const struct view_change_layout *layout,
                            const struct view_changes *changes);

#endif
