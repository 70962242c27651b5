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
#include "screen.h"
#include "screen_row.h"

struct builder {
    const struct view_layout *layout;
    const struct view_status *status;
    const struct profile *profile;
    const struct view_rows *rows;
    struct screen_columns columns;
    struct view_frame frame;
    bool failed;
};

/* Takes over the text, in as many lines as it needs. */
static void add_lines(struct builder *b, enum view_style style, struct text *text)
{
    const char *line = text->bytes ? text->bytes : "";

    if (text->failed || !view_frame_wrap(&b->frame, style, line, b->layout->width, 0))
        b->failed = true;
    free(text->bytes);
    *text = (struct text){.bytes = NULL};
}

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
    text_printf(&t, "   %s", view_state_word(s->state));
    add_lines(b, VIEW_STYLE_TITLE, &t);
}

/* A clock that is behind the one that the file's time comes from tells no age. */
static void add_file_age(struct text *t, double age_s)
{
    char age[40];

    if (isnan(age_s))
        return;
    frame_show_age(fabs(age_s), 0, age, sizeof(age));
    text_printf(t, age_s < 0 ? "   dated %s in the future" : "   %s old", age);
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
    add_lines(b, VIEW_STYLE_NORMAL, &t);
}

static void add_link(struct builder *b, const struct view_status *s)
{
    struct text t = {.bytes = NULL};
    char age[40], halts[100];

    if (s->origin) {
        add_origin(b, s);
        return;
    }
    frame_show_halts(s, false, halts, sizeof(halts));
    frame_show_age(s->age_s, 1, age, sizeof(age));
    text_printf(&t, "%s %s   %s   poll %.1f ms", s->kind, s->address, halts, s->poll_ms);
    if (s->period_s > 0)
        text_printf(&t, "   every %.1f s: slow link", s->period_s);
    text_printf(&t, "   updated %s ago", age);
    add_lines(b, VIEW_STYLE_NORMAL, &t);
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
        text_printf(t, "   other TrustZone side %" PRIu32, p->other_side);
}

static void add_counts(struct builder *b, const struct view_status *s, const struct profile *p,
                       const struct view_rows *rows)
{
    struct text t = {.bytes = NULL};
    char lost[80], rate[80], used[80], stub[40], cut[40];

    text_printf(&t, "%s%s%" PRIu64 " %s", s->sampler, s->sampler[0] ? "   " : "", rows->attributed,
                view_unit(s, p));
    frame_show_rate(p, rate, sizeof(rate));
    text_printf(&t, "%s%s", rate[0] ? "   " : "", rate);
    frame_show_stub(s, p, stub, sizeof(stub));
    text_printf(&t, "%s%s", stub[0] ? "   " : "", stub);
    frame_show_lost(p, lost, sizeof(lost));
    if (!p->headerless)
        text_printf(&t, "   %s", lost);
    frame_show_rows(p, used, sizeof(used));
    text_printf(&t, "%s%s", used[0] ? "   " : "", used);
    text_printf(&t, "%s", view_counting_only(rows) ? "   +/- counting only" : "");
    add_set_apart(&t, p, p->ignored + rows->ignored);
    frame_show_cut(p, cut, sizeof(cut));
    text_printf(&t, "%s%s", cut[0] ? "   " : "", cut);
    if (p->stale)
        text_printf(&t, "   stale %zu", p->stale);
    if (p->restarts)
        text_printf(&t, "   restarted %u", p->restarts);
    add_lines(b, VIEW_STYLE_NORMAL, &t);
}

/* Why mprof takes samples this way, if it has chosen that. */
static void add_sampler(struct builder *b, const struct view_status *s)
{
    struct text t = {.bytes = NULL};

    if (!s->sampler_chosen || !s->sampler_why)
        return;
    text_printf(&t, "sampler %s: %s", s->sampler, s->sampler_why);
    add_lines(b, VIEW_STYLE_NORMAL, &t);
}

static void add_wrapped(struct builder *b, enum view_style style, const char *text)
{
    if (text && text[0] && !view_frame_wrap(&b->frame, style, text, b->layout->width, 0))
        b->failed = true;
}

/* As long as it is, and an empty line between it and the rows. */
static void add_message(struct builder *b, const struct view_status *s,
                        const struct view_rows *rows)
{
    enum view_style style = s->alarm     ? VIEW_STYLE_ALARM
                            : s->warning ? VIEW_STYLE_WARNING
                                         : VIEW_STYLE_DIM;
    struct text t = {.bytes = NULL};
    char advice[VIEW_REMEDY_TEXT];

    add_wrapped(b, style, s->message);
    if (frame_advice(s, rows, advice))
        add_wrapped(b, VIEW_STYLE_WARNING, advice);
    add_line(b, VIEW_STYLE_NORMAL, &t);
}

static void add_others(struct builder *b, const struct view_rows *rows, size_t shown)
{
    struct text t = {.bytes = NULL};
    double share = 0;

    for (size_t i = shown; i < rows->count; i++)
        share += rows->rows[i].share.value;
    if (rows->stacks) /* a sample may be of several rows */
        text_printf(&t, "%6s", "");
    else
        text_printf(&t, "%6.1f", 100 * share);
    text_printf(&t, "  %zu other%s", rows->count - shown, rows->count - shown == 1 ? "" : "s");
    add_line(b, VIEW_STYLE_DIM, &t);
}

static void add_without(struct builder *b)
{
    struct text t = {.bytes = NULL};
    char without[VIEW_WITHOUT_TEXT];

    view_without_text(b->rows, without);
    if (!without[0])
        return;
    text_printf(&t, "%8s%s", "", without); /* where add_others() has its words */
    add_line(b, VIEW_STYLE_DIM, &t);
}

static bool is_in(const struct view_row *row, int section)
{
    return (int)row->context == section;
}

/* left: how many of its rows are not among the first ones. */
static void add_title(struct builder *b, int section, size_t left)
{
    const char *unit = view_unit(b->status, b->profile);
    double share = 0;
    char rest[60] = "";

    for (size_t i = 0; i < b->rows->count; i++)
        share += is_in(&b->rows->rows[i], section) ? b->rows->rows[i].share.value : 0;
    if (left)
        snprintf(rest, sizeof(rest), ", %zu not shown", left);
    if (!frame_add_section(&b->frame, b->layout, (size_t)section, share, unit, rest))
        b->failed = true;
}

/* Those of one section among the first ones, below its title. */
static void add_section(struct builder *b, int section, size_t shown)
{
    const struct view_row *rows = b->rows->rows;
    size_t mine = 0, left = 0;

    for (size_t i = 0; i < b->rows->count; i++)
        *(i < shown ? &mine : &left) += is_in(&rows[i], section);
    if (section != VIEW_CONTEXT_TASK && mine)
        add_title(b, section, left);
    for (size_t i = 0; i < shown && !b->failed; i++)
        if (is_in(&rows[i], section) && !screen_add_row(&b->columns, &rows[i], i, &b->frame))
            b->failed = true;
}

static void add_rows(struct builder *b)
{
    const struct view_layout *l = b->layout;

    size_t shown = l->limit && l->limit < b->rows->count ? l->limit : b->rows->count;

    screen_columns_init(&b->columns, l, b->status, b->rows);
    b->failed |= !screen_add_headings(&b->columns, &b->frame);
    for (int section = 0; section < VIEW_CONTEXTS; section++)
        add_section(b, section, shown);
    if (shown < b->rows->count)
        add_others(b, b->rows, shown);
    add_without(b);
}

bool view_frame_build(const struct view_layout *layout, const struct view_status *status,
                      const struct profile *profile, const struct view_rows *rows,
                      struct view_frame *frame)
{
    const struct view_layout plain = {.width = layout->width,
                                      .limit = layout->limit,
                                      .fields = layout->fields,
                                      .spare_fields = layout->spare_fields,
                                      .ascii = true,
                                      .by = layout->by,
                                      .selected = VIEW_NO_ROW,
                                      .sparklines = layout->sparklines};
    struct builder b = {.layout = &plain, .status = status, .profile = profile, .rows = rows};

    if (layout->screen && layout->height)
        return screen_build(layout, status, profile, rows, frame);
    b.frame.heading = SIZE_MAX;
    add_identity(&b, status);
    add_link(&b, status);
    add_sampler(&b, status);
    add_counts(&b, status, profile, rows);
    add_message(&b, status, rows);
    add_rows(&b);
    if (b.failed) {
        view_frame_free(&b.frame);
        return false;
    }
    *frame = b.frame;
    return true;
}
