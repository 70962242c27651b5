/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Title, notes, panel and hints of a function. */
#include <annotate/zoom_frame.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>

#include "annotate_body.h"

struct builder {
    const struct view_zoom *zoom;
    const struct view_layout *layout;
    struct view_frame frame;
    bool failed;
};

/* What of the height is for what. */
struct plan {
    size_t notes, headings, panel, hints;
};

/* Takes over the text, clipped to the width. */
static void add_line(struct builder *b, enum view_style style, struct text *text)
{
    char *line = text_end_line(text, b->layout->width);

    if (!line || !view_frame_add(&b->frame, style, line, VIEW_NO_ROW))
        b->failed = true;
}

/* Gives cells of the last line a style of their own. */
static void add_span(struct builder *b, unsigned column, unsigned cells, enum view_style style)
{
    if (!b->failed && !view_frame_span(&b->frame, column, cells, style))
        b->failed = true;
}

/* Adds a piece of a line if all of it fits, and empties it. */
static bool add_piece(const struct builder *b, struct text *line, struct text *piece)
{
    unsigned used = line->bytes ? (unsigned)text_cells(line->bytes) : 0;
    bool fits = piece->bytes && used + 2 + (unsigned)text_cells(piece->bytes) <= b->layout->width;

    if (fits) {
        text_add(line, "  ", 2);
        text_add(line, piece->bytes, piece->len);
    }
    line->failed |= piece->failed;
    free(piece->bytes);
    *piece = (struct text){.bytes = NULL};
    return fits;
}

static void add_share(const struct builder *b, struct text *line)
{
    const struct annotation *a = b->zoom->about;
    const struct annotate_layout ascii = {.ascii = b->layout->ascii};
    const struct body body = {.layout = &ascii};
    struct text piece = {.bytes = NULL};
    char share[80];

    const char *intervals = annotate_intervals(a);
    body_share(&body, &a->share, share, sizeof(share));
    text_printf(&piece, "%s%s%s", share, intervals && !a->cosines ? " " : "",
                intervals && !a->cosines ? intervals : "");
    if (add_piece(b, line, &piece))
        return;
    text_printf(&piece, "%.1f %%", 100 * a->share.value);
    (void)add_piece(b, line, &piece);
}

static void add_block_size(const struct builder *b, struct text *line)
{
    unsigned block_size = b->zoom->about->block_size;
    struct text piece = {.bytes = NULL};

    if (block_size == 0)
        return;
    text_printf(&piece, "block size %u byte%s", block_size, block_size > 1 ? "s" : "");
    if (add_piece(b, line, &piece))
        return;
    text_printf(&piece, "block %u B", block_size);
    (void)add_piece(b, line, &piece);
}

/* The most important first, since what does not fit is left out. */
static void add_title(struct builder *b)
{
    const struct annotation *a = b->zoom->about;
    struct text t = {.bytes = NULL}, piece = {.bytes = NULL};
    unsigned width = b->layout->width;
    char where[200];

    text_cell(&t, b->zoom->name, a ? width - width / 2 : width, false, false);
    if (a) {
        add_share(b, &t);
        text_printf(&piece, "%" PRIu64 " of %" PRIu64 " %s", a->hits, a->attributed, a->unit);
        (void)add_piece(b, &t, &piece);
    }
    if (a && a->start.file) {
        body_where(a->start.file, a->start.line, where, sizeof(where));
        text_cell(&piece, where, 40, false, false);
        (void)add_piece(b, &t, &piece);
    }
    if (a)
        add_block_size(b, &t);
    add_line(b, VIEW_STYLE_TITLE, &t);
}

static void add_notes(struct builder *b, size_t shown)
{
    const struct annotate_frame *notes = b->zoom->notes;

    for (size_t i = 0; i < shown; i++) {
        struct text t = {.bytes = NULL};
        if (i + 1 == shown && notes->count > shown)
            text_printf(&t, "%zu more lines; mprof annotate shows all", notes->count - i);
        else
            text_add(&t, notes->lines[i].text, strlen(notes->lines[i].text));
        add_line(b, VIEW_STYLE_WARNING, &t);
    }
}

static enum view_style style_of(const struct annotate_text *line)
{
    switch (line->kind) {
    case ANNOTATE_HEADER:
        return VIEW_STYLE_TITLE;
    case ANNOTATE_NOTE:
        return VIEW_STYLE_WARNING;
    case ANNOTATE_HEADING:
        return VIEW_STYLE_HEADING;
    case ANNOTATE_TITLE:
        return VIEW_STYLE_SECTION;
    case ANNOTATE_INLINE:
        return VIEW_STYLE_INLINE;
    case ANNOTATE_SOURCE:
        return VIEW_STYLE_SOURCE;
    case ANNOTATE_GAP:
        return VIEW_STYLE_DIM;
    case ANNOTATE_STEP:
    case ANNOTATE_BLANK:
        break;
    }
    return VIEW_STYLE_ROW;
}

/* The panel's own lines were cut to the width when they were made. */
static void add_panel_line(struct builder *b, const struct annotate_text *from)
{
    static const enum view_style heats[] = {[ANNOTATE_COLD] = VIEW_STYLE_ROW,
                                            [ANNOTATE_WARM] = VIEW_STYLE_WARM,
                                            [ANNOTATE_HOT] = VIEW_STYLE_HOT};
    struct text t = {.bytes = NULL};

    text_add(&t, from->text, strlen(from->text));
    add_line(b, style_of(from), &t);
    size_t len = strlen(from->text);
    size_t numbers = from->numbers < len ? from->numbers : len;
    numbers = numbers < b->layout->width ? numbers : b->layout->width;
    add_span(b, 0, (unsigned)numbers, heats[from->heat]); /* ASCII: bytes are cells */
}

static void add_panel(struct builder *b, const struct plan *plan)
{
    const struct annotate_frame *panel = b->zoom->panel;
    const struct view_layout *l = b->layout;
    size_t total = panel->count > 0 ? panel->count - 1 : 0;
    size_t last = total > plan->panel ? total - plan->panel : 0;
    size_t first = l->first < last ? l->first : last;

    if (l->selected < total && l->selected < first)
        first = l->selected;
    if (l->selected < total && l->selected >= first + plan->panel)
        first = l->selected + 1 - plan->panel;
    b->frame.heading = SIZE_MAX;
    if (plan->headings && panel->count > 0) {
        b->frame.heading = b->frame.count;
        add_panel_line(b, &panel->lines[0]);
    }
    size_t shown = total - first < plan->panel ? total - first : plan->panel;
    for (size_t i = first; i < first + shown && !b->failed; i++) {
        add_panel_line(b, &panel->lines[i + 1]);
        if (b->failed)
            break;
        struct view_line *line = &b->frame.lines[b->frame.count - 1];
        line->row = i, line->selected = i == l->selected;
    }
    b->frame.first = first;
    b->frame.shown = shown;
    b->frame.total = total;
}

static void add_rest(struct builder *b, size_t count)
{
    while (b->frame.count < count && !b->failed) {
        struct text t = {.bytes = NULL};
        add_line(b, VIEW_STYLE_NORMAL, &t);
    }
}

/* Notes take a quarter of the screen at most. */
static struct plan make_plan(const struct view_zoom *zoom, size_t height)
{
    struct plan plan = {.panel = 0};
    size_t left = height > 0 ? height - 1 : 0;

    plan.hints = left >= 3;
    plan.headings = left >= 2;
    left -= plan.hints + plan.headings;
    plan.notes = zoom->notes ? zoom->notes->count : 0;
    plan.notes = plan.notes < height / 4 ? plan.notes : height / 4;
    plan.notes = height >= 8 ? plan.notes : 0;
    plan.panel = left - plan.notes;
    return plan;
}

bool view_zoom_frame(const struct view_zoom *zoom, const struct view_layout *layout,
                     struct view_frame *frame)
{
    size_t height = layout->height ? layout->height : zoom->panel->count + 8;
    struct builder b = {.zoom = zoom, .layout = layout};
    struct plan plan = make_plan(zoom, height);

    add_title(&b);
    add_notes(&b, plan.notes);
    add_panel(&b, &plan);
    add_rest(&b, height - plan.hints);
    if (plan.hints)
        b.failed = b.failed || !view_frame_footer(layout, &b.frame);
    if (b.failed)
        view_frame_free(&b.frame);
    else
        *frame = b.frame;
    return !b.failed;
}
