/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By line: the row of a block that several lines share. */
#include "line_block.h"

#include <string.h>

static void add_line(struct view_lines *lines, const char *file, unsigned line)
{
    if (!lines->file)
        *lines = (struct view_lines){.file = file, .first = line, .last = line};
    else if (!file || strcmp(lines->file, file) != 0)
        lines->more = true;
    else if (line < lines->first)
        lines->first = line;
    else if (line > lines->last)
        lines->last = line;
}

void line_block_take(struct view_row *block, struct view_row *line)
{
    if (!block->lines.file)
        block->function = line->function, block->symbol = line->symbol;
    add_line(&block->lines, line->file, line->line);
    view_row_merge(block, line);
    line->hits = line->inherited = line->recent = line->lost = line->late = 0;
    line->in_interrupt = line->recent_in_interrupt = 0;
    line->wander = (struct wander){.hits = 0};
}

void line_block_finish(struct view_row *block, const struct profile_hit *hit)
{
    block->split = block->hits != hit->hits; /* some code of the block is left out */
    block->least = block->split ? 0 : block->hits;
    block->most = hit->hits;
}
