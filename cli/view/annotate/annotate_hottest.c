/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of the hottest lines. Hits that lines share stand there as those of their block. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate_body.h"

/* Rows of the list. */
#define HOTTEST 5

/* A line with hits of its own, or a block that several lines share. */
struct hot {
    const struct annotate_range *range;
    const struct annotate_line *line; /* of a block, the first one */
    const struct annotate_block *block;
};

static int compare(const void *left, const void *right)
{
    const struct hot *a = left, *b = right;

    if (a->range->hits != b->range->hits)
        return a->range->hits < b->range->hits ? 1 : -1;
    if (a->range->most != b->range->most)
        return a->range->most < b->range->most ? 1 : -1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Returns their number. */
static size_t collect(const struct annotation *a, struct hot *hot)
{
    size_t count = 0;

    for (size_t i = 0; i < a->line_count; i++) {
        if (a->lines[i].range.hits)
            hot[count++] = (struct hot){.range = &a->lines[i].range, .line = &a->lines[i]};
    }
    for (size_t i = 0; i < a->block_count; i++) {
        const struct annotate_block *block = &a->blocks[i];
        if (block->lines > 1 || block->split)
            hot[count++] = (struct hot){
                .range = &block->range, .line = &a->lines[block->first_line], .block = block};
    }
    return count;
}

/* "main.c:65", and of a block "main.c:65-103", or "main.c:65 ..." if not all are in one file. */
static void show_place(const struct annotation *a, const struct hot *hot, char *text,
                       size_t capacity)
{
    const struct annotate_line *first = hot->line;
    const struct annotate_line *last = hot->block ? &a->lines[hot->block->last_line] : first;

    body_where(first->file, first->line, text, capacity);
    size_t len = strlen(text);
    if (last == first)
        return;
    if (first->file && last->file && strcmp(first->file, last->file) == 0)
        snprintf(text + len, capacity - len, "-%u", last->line);
    else
        snprintf(text + len, capacity - len, " ...");
}

struct widths {
    unsigned ends, place;
};

static void widen(unsigned *width, const char *text)
{
    unsigned cells = (unsigned)text_cells(text);

    *width = cells > *width ? cells : *width;
}

static void add(struct body *b, const struct hot *hot, const struct widths *widths)
{
    struct text t = {.bytes = NULL};
    char place[400], ends[80];

    body_numbers(b, &t, hot->range->hits, hot->range->share.value);
    size_t numbers = t.len;
    body_ends(b, hot->range, ends, sizeof(ends));
    text_printf(&t, " ");
    text_cell(&t, ends, widths->ends, false, true);
    show_place(b->a, hot, place, sizeof(place));
    text_printf(&t, "  ");
    text_cell(&t, place, widths->place, false, true);
    text_printf(&t, "  ");
    if (hot->block)
        text_printf(&t, "%zu line%s in the block at %" PRIx64 "%s", hot->block->lines,
                    hot->block->lines > 1 ? "s" : "", hot->block->addr,
                    hot->block->split ? ", with another function" : "");
    else if (hot->line->text)
        text_cell(&t, hot->line->text + strspn(hot->line->text, " "), b->layout->width, false,
                  false);
    struct annotate_text *added = body_add(b, ANNOTATE_SOURCE, &t);
    body_range_heat(b, added, numbers, hot->range);
    if (added)
        added->file = hot->line->file, added->line = hot->line->line, added->addr = hot->line->addr;
}

void body_hottest(struct body *b)
{
    const struct annotation *a = b->a;
    struct hot *hot = calloc(a->line_count + a->block_count + 1, sizeof(*hot));
    struct widths widths = {.ends = 0};
    char text[400];

    if (!hot) {
        b->failed = true;
        return;
    }
    size_t count = collect(a, hot);
    qsort(hot, count, sizeof(*hot), compare);
    count = count < HOTTEST ? count : HOTTEST;
    for (size_t i = 0; i < count; i++) {
        body_ends(b, hot[i].range, text, sizeof(text));
        widen(&widths.ends, text);
        show_place(a, &hot[i], text, sizeof(text));
        widen(&widths.place, text);
    }
    widths.place = widths.place > BODY_PLACE_MAX ? BODY_PLACE_MAX : widths.place;
    if (count)
        body_title(b, "hottest lines");
    for (size_t i = 0; i < count; i++)
        add(b, &hot[i], &widths);
    if (count)
        body_blank(b);
    free(hot);
}
