/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranking as a screen. */
#include "screen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/text.h>
#include <table/interval.h>

#include "frame_lines.h"
#include "parts.h"
#include "screen_plan.h"
#include "screen_row.h"

/* From here on a line below the ranking says more of the row that the cursor is on. */
#define HEIGHT_DETAIL 20
#define WIDTH_DETAIL  60

/* With fewer lines rows come before headings, header and footer. */
#define HEIGHT_HEADING 4
#define HEIGHT_HEADER  5
#define HEIGHT_FOOTER  3

/* Samples of a row that came late are worth a word from so many on, and from that part on. */
#define LATE_HITS 10
#define LATE_PART 5

struct screen {
    const struct view_layout *layout;
    const struct view_status *status;
    const struct profile *profile;
    const struct view_rows *rows;
    const size_t *order; /* of the rows */
    size_t counts[SECTIONS];
    struct screen_columns columns;
    struct view_frame frame;
};

static bool add_blank(struct screen *s)
{
    struct text t = {.bytes = NULL};

    return frame_add_text(&s->frame, VIEW_STYLE_NORMAL, &t, s->layout->width, VIEW_NO_ROW);
}

/* Lines up to that many. */
static bool fill_up(struct screen *s, size_t lines)
{
    while (s->frame.count < lines)
        if (!add_blank(s))
            return false;
    return true;
}

static double share_of(const struct screen *s, size_t from, size_t to)
{
    double share = 0;

    for (size_t i = from; i < to; i++)
        share += s->rows->rows[s->order[i]].share.value;
    return share;
}

/* With how many are shown, if nothing else says that some are not. */
static bool add_section(struct screen *s, const struct section_plan *p, size_t section,
                        size_t start)
{
    size_t count = s->counts[section];
    char rest[60] = "";

    if (p->shown < count && !p->others)
        snprintf(rest, sizeof(rest), ", %zu of %zu rows", p->shown, count);
    return frame_add_section(&s->frame, s->layout, section, share_of(s, start, start + count),
                             view_unit(s->status, s->profile), rest);
}

/* What is not shown of a section, on either side. */
static bool add_others(struct screen *s, const struct section_plan *p, size_t start, size_t count)
{
    double share = share_of(s, start, start + p->above) +
                   share_of(s, start + p->above + p->shown, start + count);
    struct text t = {.bytes = NULL};

    text_printf(&t, "%6.1f  %zu other%s", 100 * share, count - p->shown,
                count - p->shown == 1 ? "" : "s");
    if (p->above)
        text_printf(&t, ", %zu above", p->above);
    return frame_add_text(&s->frame, VIEW_STYLE_DIM, &t, s->layout->width, VIEW_NO_ROW);
}

static bool add_rows(struct screen *s, const struct screen_plan *plan)
{
    size_t start = 0;

    for (size_t i = 0; i < SECTIONS; i++) {
        const struct section_plan *p = &plan->section[i];
        if (p->title && !add_section(s, p, i, start))
            return false;
        for (size_t at = start + p->above; at < start + p->above + p->shown; at++)
            if (!screen_add_row(&s->columns, &s->rows->rows[s->order[at]], s->order[at], &s->frame))
                return false;
        if (p->others && !add_others(s, p, start, s->counts[i]))
            return false;
        start += s->counts[i];
    }
    return true;
}

static bool add_nothing(struct screen *s)
{
    bool searched = s->layout->search || s->layout->pattern;
    struct text t = {.bytes = NULL};

    text_printf(&t, "%s", searched ? "nothing matches" : "no hits yet");
    return frame_add_text(&s->frame, VIEW_STYLE_DIM, &t, s->layout->width, VIEW_NO_ROW);
}

/* Where the cursor is on the screen; SIZE_MAX: nowhere. */
static size_t cursor_place(const struct screen *s)
{
    for (size_t i = 0; i < s->rows->count; i++)
        if (s->order[i] == s->layout->selected)
            return i;
    return SIZE_MAX;
}

static bool add_body(struct screen *s, size_t room)
{
    struct screen_plan plan;

    screen_plan(s->counts, room, s->layout->first, cursor_place(s), &plan);
    s->frame.first = plan.first;
    s->frame.shown = plan.shown;
    s->frame.total = s->rows->count;
    if (s->rows->count == 0 && room)
        return add_nothing(s);
    return add_rows(s, &plan);
}

static void say_interval(const struct screen *s, const struct view_row *row, struct parts *parts)
{
    bool known = row->share.low >= 0 && row->share.low < row->share.high;
    const struct view_interval i = {.value = 100 * row->share.value,
                                    .low = known ? 100 * row->share.low : NAN,
                                    .high = 100 * row->share.high,
                                    .decimals = 2,
                                    .unit = " %"};
    char text[80];

    view_show_interval(&i, !s->layout->ascii, text, sizeof(text));
    parts_add(parts, 2, VIEW_STYLE_NORMAL, "%s", text);
}

/* What columns have no room for: the whole name, the numbers behind the share, doubts. */
/* So many that they tell of what ran before it, by chance hardly ever. */
static bool is_late(const struct view_rows *rows, const struct view_row *row)
{
    return rows->late && row->late >= LATE_HITS && row->late > row->hits / LATE_PART;
}

static bool add_detail(struct screen *s)
{
    size_t selected = s->layout->selected;
    struct parts parts = {.count = 0};

    if (selected >= s->rows->count)
        return add_blank(s);
    const struct view_row *row = &s->rows->rows[selected];
    bool late = is_late(s->rows, row);
    bool doubtful = row->stale || row->split || late;
    const char *sign = doubtful ? "! " : "";
    if (row->function || row->file)
        parts_add(&parts, 0, VIEW_STYLE_NORMAL, "%s%s", sign,
                  row->function ? row->function
                  : row->line   ? path_base_name(row->file)
                                : row->file);
    else
        parts_add(&parts, 0, VIEW_STYLE_NORMAL, "%s0x%" PRIx64, sign, row->addr);
    if (row->stale)
        parts_add(&parts, 1, VIEW_STYLE_NORMAL, "some of its numbers are of an earlier refresh");
    else if (late)
        parts_add(&parts, 1, VIEW_STYLE_NORMAL,
                  "%.0f%% of its samples came late: interrupts were masked just before it",
                  100.0 * (double)row->late / (double)row->hits);
    else if (row->split)
        parts_add(&parts, 1, VIEW_STYLE_NORMAL, "%s",
                  s->rows->by == VIEW_BY_LINE ? "shares a block with other lines"
                                              : "hits of a block, divided by bytes");
    parts_add(&parts, 3, VIEW_STYLE_NORMAL, "%" PRIu64 " %s", row->hits,
              view_unit(s->status, s->profile));
    say_interval(s, row, &parts);
    if (row->function && row->file && row->line)
        parts_add(&parts, 4, VIEW_STYLE_NORMAL, "%s:%u", row->file, row->line);
    return parts_line(&parts, doubtful ? VIEW_STYLE_WARNING : VIEW_STYLE_DIM, s->layout->width,
                      &s->frame);
}

static bool add_header(struct screen *s)
{
    const struct view_layout *l = s->layout;

    s->frame.heading = SIZE_MAX;
    if (l->height >= HEIGHT_HEADER &&
        !view_frame_header(l, s->status, s->profile, s->rows, &s->frame))
        return false;
    return l->height < HEIGHT_HEADING || screen_add_headings(&s->columns, &s->frame);
}

static bool add_all(struct screen *s)
{
    const struct view_layout *l = s->layout;
    bool detail = l->height >= HEIGHT_DETAIL && l->width >= WIDTH_DETAIL;
    bool footer = l->height >= HEIGHT_FOOTER && (l->hints || l->footer);
    size_t body_end = l->height - detail - footer;

    if (!add_header(s))
        return false;
    size_t room = body_end > s->frame.count ? body_end - s->frame.count : 0;
    return add_body(s, room) && fill_up(s, body_end) && (!detail || add_detail(s)) &&
           (!footer || view_frame_footer(l, &s->frame));
}

bool screen_build(const struct view_layout *layout, const struct view_status *status,
                  const struct profile *profile, const struct view_rows *rows,
                  struct view_frame *frame)
{
    struct screen s = {.layout = layout, .status = status, .profile = profile, .rows = rows};
    size_t *order = screen_order(rows, s.counts);
    bool done = order != NULL;

    s.order = order;
    if (done) {
        screen_columns_init(&s.columns, layout, status, rows);
        done = add_all(&s);
    }
    free(order);
    if (!done) {
        view_frame_free(&s.frame);
        return false;
    }
    *frame = s.frame;
    return true;
}
