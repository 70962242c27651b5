/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Header lines, headings and rows of one refresh. */
#include <screen/frame.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <ranking/build.h>

#include "frame_lines.h"
#include "grid.h"
#include "screen.h"

/* Lines above the rows: three of the header, two of the message, the headings. */
#define LINES_ABOVE 6

struct builder {
    const struct view_layout *layout;
    struct view_frame frame;
    bool failed;
};

/* Takes over the text, clipped to the width. */
static void add_line(struct builder *b, enum view_style style, struct text *text)
{
    if (!frame_add_text(&b->frame, style, text, b->layout->width, VIEW_NO_ROW))
        b->failed = true;
}

static void add_identity(struct builder *b, const struct view_status *s)
{
    struct text t = {.bytes = NULL};

    text_printf(&t, "mprof %s   %s", s->command, s->elf);
    if (s->build_id[0])
        text_printf(&t, " %.*s", view_build_len(s->build_id), s->build_id);
    if (s->identity[0])
        text_printf(&t, " (%s)", s->identity);
    text_printf(&t, "  ");
    if (s->target[0])
        text_printf(&t, " %s", s->target);
    if (s->arch[0])
        text_printf(&t, " %s", s->arch);
    text_printf(&t, "   %s", s->state);
    add_line(b, VIEW_STYLE_TITLE, &t);
}

/* A clock that is behind the one that the file's time comes from tells no age. */
static void add_file_age(struct text *t, double age_s)
{
    char age[40];

    if (isnan(age_s))
        return;
    frame_show_age(fabs(age_s), 0, age, sizeof(age));
    text_printf(t, age_s < 0 ? "   %s ahead of this clock" : "   %s old", age);
}

/* Instead of a link: which files, and over which time. */
static void add_origin(struct builder *b, const struct view_status *s)
{
    struct text t = {.bytes = NULL};

    text_printf(&t, "%s", s->origin);
    if (s->time_s > 0)
        text_printf(&t, "   over %.1f s", s->time_s);
    add_file_age(&t, s->age_s);
    if (s->kind[0])
        text_printf(&t, "   by %s, halts %" PRIu64, s->kind, s->halts);
    add_line(b, VIEW_STYLE_NORMAL, &t);
}

static void add_link(struct builder *b, const struct view_status *s)
{
    struct text t = {.bytes = NULL};
    char age[40];

    if (s->origin) {
        add_origin(b, s);
        return;
    }
    text_printf(&t, "%s %s   halts %" PRIu64, s->kind, s->address, s->halts);
    if (s->halts)
        text_printf(&t, ", %.1f ms", s->halted_ms);
    frame_show_age(s->age_s, 1, age, sizeof(age));
    text_printf(&t, " (%.1f%%)   poll %.1f ms   data %s old", 100 * s->halted_share, s->poll_ms,
                age);
    add_line(b, VIEW_STYLE_NORMAL, &t);
}

static void add_set_apart(struct text *t, const struct profile *p, uint64_t ignored)
{
    double late = frame_late_percent(p);

    if (ignored)
        text_printf(t, "   ignored %" PRIu64, ignored);
    if (late >= 0)
        text_printf(t, "   late %.1f%%", late);
    if (p->sleeping)
        text_printf(t, "   asleep %" PRIu32, p->sleeping);
    if (p->other_side)
        text_printf(t, "   [secure] %" PRIu32, p->other_side);
}

static void add_counts(struct builder *b, const struct view_status *s, const struct profile *p,
                       const struct view_rows *rows)
{
    struct text t = {.bytes = NULL};
    char dropped[60];

    text_printf(&t, "%s%s%" PRIu64 " %s", s->sampler, s->sampler[0] ? "   " : "", rows->attributed,
                view_unit(s, p));
    if (p->recent_s > 0)
        text_printf(&t, "   %.0f/s", frame_rate(p));
    else
        text_printf(&t, "   -/s");
    if (p->unit == DECODE_UNIT_SAMPLES && p->sample_hz)
        text_printf(&t, " of %" PRIu32 "%s", p->sample_hz, p->jittered ? " jittered" : "");
    frame_show_dropped(p, dropped, sizeof(dropped));
    if (!p->headerless)
        text_printf(&t, "   %s", dropped);
    if (p->source != DECODE_STREAM && p->source != DECODE_HISTOGRAM)
        text_printf(&t, "   rows %zu of %zu", p->used, p->row_count);
    add_set_apart(&t, p, p->ignored + rows->ignored);
    if (p->stale)
        text_printf(&t, "   stale %zu", p->stale);
    if (p->restarts)
        text_printf(&t, "   restarted %u", p->restarts);
    add_line(b, VIEW_STYLE_NORMAL, &t);
}

/* Two lines: a message that needs only one is followed by an empty one. */
static void add_message(struct builder *b, const struct view_status *s)
{
    enum view_style style = s->alarm     ? VIEW_STYLE_ALARM
                            : s->warning ? VIEW_STYLE_WARNING
                                         : VIEW_STYLE_DIM;
    size_t len = frame_first_line(s->message, b->layout->width);
    struct text t = {.bytes = NULL};

    if (len == 0)
        len = strlen(s->message);
    text_add(&t, s->message, len);
    add_line(b, style, &t);
    text_add(&t, s->message + len, strlen(s->message + len));
    if (t.len > 0 && t.bytes[0] == ' ')
        memmove(t.bytes, t.bytes + 1, t.len--);
    add_line(b, style, &t);
}

static void add_others(struct builder *b, const struct view_rows *rows, size_t shown)
{
    struct text t = {.bytes = NULL};
    double share = 0;

    for (size_t i = shown; i < rows->count; i++)
        share += rows->rows[i].share.value;
    text_printf(&t, "%6.1f  %zu others", 100 * share, rows->count - shown);
    add_line(b, VIEW_STYLE_DIM, &t);
}

static void add_rows(struct builder *b, const struct view_status *s, const struct view_rows *rows)
{
    const struct view_layout *l = b->layout;
    const struct view_scale scale = {
        .top_share = frame_top_share(rows), .addr_size = s->addr_size, .sparklines = l->sparklines};
    struct grid grid = {.fields = l->fields, .scale = &scale};
    struct text t = {.bytes = NULL};
    size_t shown = l->limit && l->limit < rows->count ? l->limit : rows->count;
    size_t room = rows->count + 1;

    if (l->height) {
        size_t taken = LINES_ABOVE + (l->footer ? 1 : 0);
        room = l->height > taken ? l->height - taken : 0;
    }
    /* A cut list needs a line to say so. */
    if (shown > room || (shown == room && shown < rows->count))
        shown = room ? room - 1 : 0;
    grid_share_out(&grid, l->width);
    grid_headings(&grid, &t);
    add_line(b, VIEW_STYLE_HEADING, &t);
    for (size_t i = 0; i < shown; i++) {
        grid_row(&grid, &rows->rows[i], &t);
        add_line(b, VIEW_STYLE_ROW, &t);
    }
    if (shown < rows->count && room > 0)
        add_others(b, rows, shown);
}

static void add_footer(struct builder *b)
{
    const struct view_layout *l = b->layout;
    struct text t = {.bytes = NULL};

    if (!l->footer)
        return;
    while (b->frame.count + 1 < l->height && !b->failed)
        add_line(b, VIEW_STYLE_NORMAL, &t);
    text_add(&t, l->footer, strlen(l->footer));
    add_line(b, VIEW_STYLE_FOOTER, &t);
}

bool view_frame_build(const struct view_layout *layout, const struct view_status *status,
                      const struct profile *profile, const struct view_rows *rows,
                      struct view_frame *frame)
{
    struct builder b = {.layout = layout};

    if (layout->screen && layout->height)
        return screen_build(layout, status, profile, rows, frame);
    b.frame.heading = SIZE_MAX;
    add_identity(&b, status);
    add_link(&b, status);
    add_counts(&b, status, profile, rows);
    add_message(&b, status);
    add_rows(&b, status, rows);
    add_footer(&b);
    if (b.failed) {
        view_frame_free(&b.frame);
        return false;
    }
    *frame = b.frame;
    return true;
}
