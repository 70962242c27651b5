/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a diff on a live screen. */
#include <screen/change_screen.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <ranking/change_set.h>
#include <table/change_columns.h>

#include "grid.h"

/* Narrower screens show changes without their intervals; wider ones have room for more. */
#define NARROW 60
#define WIDE   110
#define ROOMY  160

/* Lines of a screen that has room for all that is to be said of the numbers. */
#define TALL 40

/* Wide screens have more. */
static struct view_fields fields_for(const struct view_changes *c, unsigned width)
{
    const char *names = view_change_places(c->by), *figures = view_change_figures(c);
    const char *more = width >= ROOMY ? "p,base_hits,new_hits," : width >= WIDE ? "p," : "";
    size_t len = width >= WIDE ? strlen(names) : strcspn(names, ",");
    char list[200];

    if (c->by == VIEW_BY_ARC) /* both ends of it are its name */
        len = strlen(names);
    if (width < NARROW)
        figures = strchr(figures, ',') + 1;
    snprintf(list, sizeof(list), "verdict,%s,change,%s%.*s", figures, more, (int)len, names);
    return view_fields_of(&view_change_columns, list);
}

static const char *method(const struct view_changes *c)
{
    switch (c->whole.per) {
    case DIFF_PER_SECOND:
        return "per second";
    case DIFF_PER_ITERATION:
        return "per iteration";
    case DIFF_PER_FUNCTION:
        return "relative to one function";
    case DIFF_PER_AUTO:
    case DIFF_PER_MEDIAN:
        break;
    }
    return "relative to the median";
}

bool view_changes_screen_message(const struct view_changes *changes, char *text, size_t capacity)
{
    const struct view_side_about *base = &changes->sides[VIEW_BASE];
    char headline[200], build[40];
    bool doubt = false;

    view_changes_headline(changes, headline, sizeof(headline));
    view_build_name(base->build_id, build, sizeof(build));
    size_t len = (size_t)snprintf(text, capacity, "%s, %s, since %s (%s), this boot", headline,
                                  method(changes), base->names[0], build);
    for (size_t i = 0; i < changes->note_count && len < capacity; i++) {
        if (changes->notes[i].kind != VIEW_NOTE_ALARM)
            continue;
        doubt = true;
        len += (size_t)snprintf(text + len, capacity - len, ". %s", changes->notes[i].text);
    }
    return doubt;
}

struct screen {
    const struct view_layout *layout;
    const struct view_changes *c;
    struct view_frame *frame;
    bool failed;
};

/* Takes the text over, cut to the width. */
static void add_line(struct screen *s, enum view_style style, struct text *t, size_t row)
{
    char *line = text_end_line(t, s->layout->width);

    if (!line || !view_frame_add(s->frame, style, line, row))
        s->failed = true;
}

/* What alarms is in the message. */
static void add_notes(struct screen *s)
{
    for (size_t i = 0; i < s->c->note_count && s->layout->height >= TALL; i++) {
        const struct view_note *note = &s->c->notes[i];
        bool warns = note->kind == VIEW_NOTE_WARNING;
        if (note->kind != VIEW_NOTE_ALARM &&
            !view_frame_wrap(s->frame, warns ? VIEW_STYLE_WARNING : VIEW_STYLE_DIM, note->text,
                             s->layout->width, 0))
            s->failed = true;
    }
}

/* From one of the rows on, as many as there is room for. */
static void place_rows(struct screen *s)
{
    const struct view_layout *l = s->layout;
    struct view_frame *f = s->frame;
    size_t taken = f->count + 1 + (l->hint_count || l->footer ? 1 : 0);
    size_t room = l->height == 0 ? s->c->count : l->height > taken ? l->height - taken : 0;

    f->total = s->c->count;
    f->first = l->first < f->total ? l->first : f->total ? f->total - 1 : 0;
    if (f->total - f->first < room) /* no empty lines while there are rows above */
        f->first = f->total > room ? f->total - room : 0;
    f->shown = f->total - f->first < room ? f->total - f->first : room;
}

static bool is_noise(const void *of)
{
    const struct view_change *row = of;

    return !row->d.significant && isfinite(row->d.ratio);
}

static void add_rows(struct screen *s, const struct view_fields *fields)
{
    const struct view_scale scale = {.utf8 = !s->layout->ascii};
    struct grid grid = {.fields = fields,
                        .scale = &scale,
                        .live = true,
                        .brief = s->layout->width < NARROW,
                        .is_noise = is_noise};
    struct view_frame *f = s->frame;
    const struct view_change *rows = s->c->rows;
    struct text t = {.bytes = NULL};

    grid_measure(&grid, rows + f->first, sizeof(*rows), f->shown, s->layout->width, true);
    grid_headings(&grid, &t);
    add_line(s, VIEW_STYLE_HEADING, &t, VIEW_NO_ROW);
    for (size_t i = f->first; i < f->first + f->shown && !s->failed; i++) {
        grid_row(&grid, &rows[i], &t);
        add_line(s, rows[i].d.significant ? grid_change_style(&rows[i]) : VIEW_STYLE_DIM, &t, i);
        if (!s->failed)
            f->lines[f->count - 1].selected = i == s->layout->selected;
    }
}

static void add_footer(struct screen *s)
{
    struct text t = {.bytes = NULL};

    while (s->layout->height && s->frame->count + 1 < s->layout->height && !s->failed)
        add_line(s, VIEW_STYLE_NORMAL, &t, VIEW_NO_ROW);
    s->failed = s->failed || !view_frame_footer(s->layout, s->frame);
}

bool view_changes_screen(const struct view_layout *layout, const struct view_changes *changes,
                         const struct view_fields *fields, struct view_frame *frame)
{
    struct screen s = {.layout = layout, .c = changes, .frame = frame};
    const struct view_fields fitting = fields_for(changes, layout->width);

    add_notes(&s);
    place_rows(&s);
    add_rows(&s, fields ? fields : &fitting);
    if (layout->hint_count || layout->footer)
        add_footer(&s);
    return !s.failed;
}
