/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames on a terminal. */
#include "draw.h"

#include <view/text.h>

#include "style.h"

void draw_line(struct term *term, int row, const struct view_line *line)
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

void draw_frame(struct term *term, int row, const struct view_frame *frame)
{
    for (size_t i = 0; i < frame->count; i++, row++) {
        term_fill(term, row, 0, -1, TERM_NORMAL);
        draw_line(term, row, &frame->lines[i]);
    }
}
