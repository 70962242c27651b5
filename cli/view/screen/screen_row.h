/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headings and rows of a screen, with what is drawn in other colours. */
#ifndef SCREEN_SCREEN_ROW_H
#define SCREEN_SCREEN_ROW_H

#include <screen/frame.h>

/* The columns of a screen, or of a pipe. */
struct screen_columns {
    const struct view_layout *layout;
    struct view_fields fields;
    struct view_scale scale;
    bool is_spare; /* nobody asked for these: some go before names are cut */
    unsigned widths[VIEW_FIELDS_MAX];
};

/* Chooses the columns, where the layout has none, and their widths for these rows. */
void screen_columns_init(struct screen_columns *columns, const struct view_layout *layout,
                         const struct view_status *status, const struct view_rows *rows);

/* Adds the headings, and says in the frame where they stand. false: no memory. */
bool screen_add_headings(const struct screen_columns *columns, struct view_frame *frame)
    __attribute__((warn_unused_result));

/* Adds one row, which has that index in view_rows. false: no memory. */
bool screen_add_row(const struct screen_columns *columns, const struct view_row *row, size_t index,
                    struct view_frame *frame) __attribute__((warn_unused_result));

#endif
