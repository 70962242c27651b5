/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames on a terminal. */
#include "draw.h"

#include <string.h>

#include <base/dedupe.h>
#include <base/text.h>
#include <live/style.h>

static void draw_line(struct term *term, int row, const struct view_line *line)
{
    unsigned ground = line->selected ? TERM_SELECTED : 0;
    enum term_style style = style_of(line->style) | ground;

    if (ground || style == TERM_TITLE || style == TERM_REVERSE)
        term_fill(term, row, 0, -1, style);
    term_put(term, row, 0, -1, style, line->text);
    for (size_t i = 0; i < line->span_count; i++) {
        const struct view_span *s = &line->spans[i];
        term_put(term, row, (int)s->column, (int)s->cells, style_of(s->style) | ground,
                 text_skip_cells(line->text, s->column));
    }
}

/* What is drawn of a line, as a number; NULL: an empty one. */
static uint64_t content_of(const struct view_line *line)
{
    uint64_t content = HASH_START;

    if (line) {
        content = hash_bytes(content, line->text, strlen(line->text));
        content = hash_number(content, 2 * (uint64_t)line->style + line->selected);
    }
    for (size_t i = 0; line && i < line->span_count; i++) {
        const struct view_span *s = &line->spans[i];
        content = hash_number(content, (uint64_t)s->column << 32 | s->cells);
        content = hash_number(content, (uint64_t)s->style);
    }
    return content ? content : 1;
}

void draw_screen(struct term *term, const struct view_frame *frame, const struct view_frame *over)
{
    int height, width;

    term_size(term, &height, &width);
    for (int row = 0; row < height; row++) {
        int below = row - (height - (int)over->count);
        const struct view_line *line = below >= 0                   ? &over->lines[below]
                                       : (size_t)row < frame->count ? &frame->lines[row]
                                                                    : NULL;
        if (term_begin_row(term, row, content_of(line)) && line)
            draw_line(term, row, line);
    }
}
