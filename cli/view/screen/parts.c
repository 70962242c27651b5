/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are made of parts. */
#include "parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>

#include "frame_lines.h"

/* Cells between two parts. */
#define APART 3

void parts_add(struct parts *parts, unsigned rank, enum view_style style, const char *format, ...)
{
    struct part *part = &parts->part[parts->count];
    va_list args;

    if (parts->count == PARTS_MAX)
        return;
    *part = (struct part){.rank = rank, .style = style};
    va_start(args, format);
    vsnprintf(part->text, sizeof(part->text), format, args);
    va_end(args);
    parts->count += part->text[0] != '\0';
}

size_t parts_cells(const struct parts *parts)
{
    size_t cells = 0;

    for (size_t i = 0; i < parts->count; i++)
        cells += text_cells(parts->part[i].text) + (i ? APART : 0);
    return cells;
}

/* The last one of the highest rank goes. */
static void drop_one(struct parts *parts)
{
    size_t least = 0;

    for (size_t i = 1; i < parts->count; i++)
        if (parts->part[i].rank >= parts->part[least].rank)
            least = i;
    parts->count--;
    memmove(&parts->part[least], &parts->part[least + 1],
            (parts->count - least) * sizeof(parts->part[0]));
}

bool parts_line(struct parts *parts, enum view_style style, unsigned width,
                struct view_frame *frame)
{
    unsigned columns[PARTS_MAX], cells[PARTS_MAX];
    struct text t = {.bytes = NULL};
    bool done;

    while (parts->count > 1 && parts_cells(parts) > width)
        drop_one(parts);
    text_add(&t, "", 0);
    for (size_t i = 0; i < parts->count; i++) {
        text_cell(&t, "", i ? APART : 0, false, true);
        columns[i] = t.bytes ? (unsigned)text_cells(t.bytes) : 0;
        text_cell(&t, parts->part[i].text, width, false, false);
        cells[i] = t.bytes ? (unsigned)text_cells(t.bytes) - columns[i] : 0;
    }
    done = frame_add_text(frame, style, &t, width, VIEW_NO_ROW);
    for (size_t i = 0; done && i < parts->count; i++)
        if (parts->part[i].style != VIEW_STYLE_NORMAL)
            done = view_frame_span(frame, columns[i], cells[i], parts->part[i].style);
    return done;
}
