/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's lines and instructions as text. */
#include <annotate/annotate_frame.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>

#include "annotate_body.h"

/* Lines in the list of the hottest ones. */
#define HOTTEST 5

static void add_name(struct body *b)
{
    const struct annotation *a = b->a;
    struct text t = {.bytes = NULL};
    char where[400] = "";

    if (a->start.file)
        body_where(a->start.file, a->start.line, where, sizeof(where));
    const char *name = a->part_count ? a->parts[0].function->name : "";
    text_printf(&t, "mprof annotate   ");
    text_cell(&t, name, b->layout->width / 2, false, false);
    text_printf(&t, "   %s   %s", where, b->layout->program);
    (void)body_add(b, ANNOTATE_HEADER, &t);
}

static void add_counts(struct body *b)
{
    const struct annotation *a = b->a;
    struct text t = {.bytes = NULL};

    char share[80];

    body_share(b, &a->share, share, sizeof(share));
    text_printf(&t, "%" PRIu64 " of %" PRIu64 " %s, %s", a->hits, a->attributed, a->unit, share);
    (void)body_add(b, ANNOTATE_HEADER, &t);
    if (a->block_size > 2)
        text_printf(&t, "block size: %u bytes; / marks a share of a block's hits", a->block_size);
    else
        text_printf(&t, "block size: %u byte%s", a->block_size, a->block_size > 1 ? "s" : "");
    (void)body_add(b, ANNOTATE_HEADER, &t);
}

static int compare_hits(const void *a, const void *b)
{
    const struct annotate_line *x = *(const struct annotate_line *const *)a;
    const struct annotate_line *y = *(const struct annotate_line *const *)b;

    if (x->hits != y->hits)
        return x->hits < y->hits ? 1 : -1;
    return (x > y) - (x < y);
}

/* A whole line, with its interval. */
static void add_hot_line(struct body *b, const struct annotate_line *line)
{
    struct text t = {.bytes = NULL};
    char where[400], ends[80];

    body_numbers(b, &t, line->hits, line->share.value, line->shared);
    size_t numbers = t.len;
    body_ends(b, &line->share, ends, sizeof(ends));
    text_printf(&t, " ");
    text_cell(&t, ends, b->ends_width, false, true);
    body_where(line->file, line->line, where, sizeof(where));
    text_printf(&t, "  ");
    text_cell(&t, where, b->where_width, false, true);
    text_printf(&t, "  ");
    if (line->text)
        text_cell(&t, line->text + strspn(line->text, " "), b->layout->width, false, false);
    struct annotate_text *added = body_add(b, ANNOTATE_SOURCE, &t);
    body_heat(added, numbers, line->share.value);
    if (added)
        added->file = line->file, added->line = line->line, added->addr = line->addr;
}

/* Their intervals are a column. */
static void measure_ends(struct body *b, const struct annotate_line *const *order)
{
    char ends[80];

    for (size_t i = 0; i < b->a->line_count && i < HOTTEST && order[i]->hits; i++) {
        body_ends(b, &order[i]->share, ends, sizeof(ends));
        unsigned cells = (unsigned)text_cells(ends);
        b->ends_width = cells > b->ends_width ? cells : b->ends_width;
    }
}

static void add_hottest(struct body *b)
{
    const struct annotation *a = b->a;
    const struct annotate_line **order = calloc(a->line_count + 1, sizeof(*order));

    if (!order) {
        b->failed = true;
        return;
    }
    for (size_t i = 0; i < a->line_count; i++)
        order[i] = &a->lines[i];
    if (a->line_count)
        qsort(order, a->line_count, sizeof(*order), compare_hits);
    measure_ends(b, order);
    for (size_t i = 0; i < a->line_count && i < HOTTEST && order[i]->hits; i++) {
        if (i == 0)
            body_title(b, "hottest lines");
        add_hot_line(b, order[i]);
    }
    if (a->line_count && order[0]->hits)
        body_blank(b);
    free(order);
}

static void add_notes(struct body *b)
{
    for (size_t i = 0; i < b->a->note_count; i++)
        body_note(b, b->a->notes[i]);
}

static void add_all(struct body *b)
{
    add_name(b);
    add_counts(b);
    add_notes(b);
    body_blank(b);
    add_hottest(b);
    body_headings(b);
    body_build(b);
}

static void add_body(struct body *b)
{
    body_headings(b);
    body_build(b);
}

static bool build(const struct annotation *annotation, const struct annotate_layout *layout,
                  void (*fill)(struct body *body), struct annotate_frame *frame)
{
    struct body b = {.a = annotation, .layout = layout};

    b.failed = !lanes_build(annotation, &b.lanes);
    if (!b.failed) {
        body_measure(&b);
        fill(&b);
    }
    lanes_free(&b.lanes);
    if (b.failed)
        annotate_frame_free(&b.frame);
    else
        *frame = b.frame;
    return !b.failed;
}

bool annotate_frame_build(const struct annotation *annotation, const struct annotate_layout *layout,
                          struct annotate_frame *frame)
{
    return build(annotation, layout, add_all, frame);
}

bool annotate_frame_body(const struct annotation *annotation, const struct annotate_layout *layout,
                         struct annotate_frame *frame)
{
    return build(annotation, layout, add_body, frame);
}

bool annotate_frame_notes(const struct annotation *annotation, const struct annotate_layout *layout,
                          struct annotate_frame *frame)
{
    return build(annotation, layout, add_notes, frame);
}

void annotate_frame_free(struct annotate_frame *frame)
{
    for (size_t i = 0; i < frame->count; i++)
        free(frame->lines[i].text);
    free(frame->lines);
    *frame = (struct annotate_frame){.lines = NULL};
}
