/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's lines and instructions as text. */
#include <annotate/annotate_frame.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>

#include "annotate_body.h"
#include "annotate_brackets.h"

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

static bool has_ranges(const struct annotation *a)
{
    for (size_t i = 0; i < a->line_count; i++) {
        if (annotate_is_shared(&a->lines[i].range))
            return true;
    }
    return false;
}

static void add_counts(struct body *b)
{
    const struct annotation *a = b->a;
    struct text t = {.bytes = NULL};

    char share[80];

    body_share(b, &a->share, share, sizeof(share));
    const char *intervals = annotate_intervals(a);
    text_printf(&t, "%" PRIu64 " of %" PRIu64 " %s, %s", a->hits, a->attributed, a->unit, share);
    if (intervals && !a->cosines)
        text_printf(&t, " %s", intervals);
    (void)body_add(b, ANNOTATE_HEADER, &t);
    text_printf(&t, "block size: %u byte%s", a->block_size, a->block_size > 1 ? "s" : "");
    if (b->brackets)
        text_printf(&t, "; %s joins code that shares one number, [a, b] is a range",
                    brackets_sample(b->layout->ascii));
    else if (has_ranges(a))
        text_printf(&t, "; lines that share a block have a range [a, b]");
    (void)body_add(b, ANNOTATE_HEADER, &t);
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
    body_hottest(b);
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
        b.brackets = brackets_any(annotation);
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
