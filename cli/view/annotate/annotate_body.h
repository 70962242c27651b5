/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of an annotation in the making. */
#ifndef ANNOTATE_ANNOTATE_BODY_H
#define ANNOTATE_ANNOTATE_BODY_H

#include <annotate/annotate_frame.h>
#include <base/text.h>
#include <profile/stats.h>

#include "annotate_lanes.h"

struct body {
    const struct annotation *a;
    const struct annotate_layout *layout;
    struct annotate_frame frame;
    struct lanes lanes;
    unsigned hits_width, where_width;
    unsigned ends_width; /* of the intervals of the hottest lines */
    bool failed;
};

/* How wide its columns are. */
void body_measure(struct body *body);

/* Adds a line of that text, which is taken over, clipped to the width. NULL: no memory. */
struct annotate_text *body_add(struct body *body, enum annotate_kind kind, struct text *text);

/* Adds a line that has that title, or nothing. */
void body_title(struct body *body, const char *title);
void body_blank(struct body *body);

/* Adds a note; it may take several lines. */
void body_note(struct body *body, const char *note);

/* "44.2 % ± 0.8", and without the share; "" if its interval is not known. */
void body_share(const struct body *body, const struct stats_share *share, char *text,
                size_t capacity);
void body_ends(const struct body *body, const struct stats_share *share, char *text,
               size_t capacity);

/* Writes "12.3   456 ", the numbers at the beginning of a line. */
void body_numbers(const struct body *body, struct text *text, uint64_t hits, double share,
                  bool shared);
void body_heat(struct annotate_text *line, size_t numbers, double share);

/* "main.c:123" */
void body_where(const char *file, unsigned line, char *text, size_t capacity);

/* Adds headings, and below them instructions with their source lines, or these alone. */
void body_headings(struct body *body);
void body_build(struct body *body);

#endif
