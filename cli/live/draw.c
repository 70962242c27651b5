/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames on a terminal. */
#include "draw.h"

#include <string.h>

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

static uint64_t mix(uint64_t content, const void *bytes, size_t len)
{
    const unsigned char *b = bytes;

    for (size_t i = 0; i < len; i++)
        content = (content ^ b[i]) * 0x100000001B3u;
    return content;
}

static uint64_t mix_number(uint64_t content, uint64_t number)
{
    content = (content ^ number) * 0x9E3779B97F4A7C15u;
    return content ^ content >> 29;
}

/* What is drawn of a line, as a number; NULL: an empty one. */
static uint64_t content_of(const struct view_line *line)
{
    uint64_t content = 0xCBF29CE484222325u;

    if (line) {
        content = mix(content, line->text, strlen(line->text));
        content = mix_number(content, 2 * (uint64_t)line->style + line->selected);
    }
    for (size_t i = 0; line && i < line->span_count; i++) {
        const struct view_span *s = &line->spans[i];
        content = mix_number(content, (uint64_t)s->column << 32 | s->cells);
        content = mix_number(content, (uint64_t)s->style);
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
