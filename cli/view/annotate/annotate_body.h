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
    bool brackets; /* there is a bracket */
    unsigned hits_width, where_width;
    bool failed;
};

/* Cells of "main.c:123" at most. */
#define BODY_PLACE_MAX 24

/* How wide its columns are. */
void body_measure(struct body *body);

/* Adds a line of that text, which is taken over, clipped to the width. NULL: no memory. */
struct annotate_text *body_add(struct body *body, enum annotate_kind kind, struct text *text);

/* Adds a line that has that title, or nothing. */
void body_title(struct body *body, const char *title);
void body_blank(struct body *body);

/* Adds a note; it may take several lines. */
void body_note(struct body *body, const char *note);

/* Writes "44.2 % ± 0.8". */
void body_share(const struct body *body, const struct stats_share *share, char *text,
                size_t capacity);
/* Writes the interval alone: "± 0.8", or "[0.0, 62.1]"; "" if it is not known. */
void body_ends(const struct body *body, const struct annotate_range *range, char *text,
               size_t capacity);

/* Writes the numbers at the beginning of a line: "12.3   456 ", or blanks if there are no hits. */
void body_numbers(const struct body *body, struct text *text, uint64_t hits, double share);
/* Sets which bytes of a line, if it is not NULL, are numbers, and the least and the largest share
 * that they say. */
void body_heat(struct annotate_text *line, size_t numbers, double least, double most);
/* The same of a range. */
void body_range_heat(const struct body *body, struct annotate_text *line, size_t numbers,
                     const struct annotate_range *range);

/* "main.c:123" */
void body_where(const char *file, unsigned line, char *text, size_t capacity);

/* Adds headings, and below them instructions with their source lines, or these alone. */
void body_headings(struct body *body);
/* Adds the hottest lines, with a title. */
void body_hottest(struct body *body);
void body_build(struct body *body);

#endif
