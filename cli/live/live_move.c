/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the cursor is, and how it moves. */
#include <string.h>

#include "live_private.h"

/* Lines that the wheel moves. */
#define WHEEL 3

static void keep(char *to, size_t capacity, const char *from)
{
    snprintf(to, capacity, "%s", from ? from : "");
}

void live_remember(struct live *live, size_t place)
{
    struct live_row *r = &live->row;

    if (place >= live->rows.count)
        return;
    const struct view_row *row = &live->rows.rows[place];
    *r = (struct live_row){
        .known = true, .addr = row->addr, .caller = row->caller_addr, .line = row->line};
    keep(r->function, sizeof(r->function), row->function);
    keep(r->file, sizeof(r->file), row->file);
}

static bool same_text(const char *kept, size_t capacity, const char *text)
{
    return strncmp(kept, text ? text : "", capacity - 1) == 0;
}

/* Functions are the same in another build, wherever they are; other rows are where they were. */
static bool is_row(const struct live *l, const struct view_row *row)
{
    const struct live_row *r = &l->row;
    enum view_by by = l->options->by;
    bool named = r->function[0] && (by == VIEW_BY_FUNCTION || by == VIEW_BY_ARC);

    if (!same_text(r->function, sizeof(r->function), row->function) ||
        !same_text(r->file, sizeof(r->file), row->file))
        return false;
    if (by == VIEW_BY_LINE && r->file[0])
        return r->line == row->line;
    return r->caller == row->caller_addr &&
           (named || (by == VIEW_BY_FILE && r->file[0]) || r->addr == row->addr);
}

void live_follow(struct live *live)
{
    struct live_cursor *c = &live->cursors[0];

    c->total = live->rows.count;
    for (size_t i = 0; live->row.known && i < live->rows.count; i++) {
        if (is_row(live, &live->rows.rows[i])) {
            c->selected = i;
            return;
        }
    }
    if (!live->row.known)
        c->selected = c->first = 0;
    if (c->selected >= c->total)
        c->selected = c->total ? c->total - 1 : 0;
}

void live_move_to(struct live *live, size_t place)
{
    struct live_cursor *c = live_cursor(live);

    if (c->total == 0)
        return;
    c->selected = place < c->total ? place : c->total - 1;
    if (live->mode == LIVE_RANKING)
        live_remember(live, c->selected);
}

static void move(struct live *l, long by)
{
    struct live_cursor *c = live_cursor(l);
    long at = c->selected == VIEW_NO_ROW ? 0 : (long)c->selected;

    live_move_to(l, at + by > 0 ? (size_t)(at + by) : 0);
}

/* A page leaves a line of the one before in sight. */
static long page(struct live *l)
{
    size_t shown = live_cursor(l)->shown;

    return shown > 2 ? (long)shown - 1 : 1;
}

void live_up(struct live *live, const char *argument)
{
    (void)argument;
    move(live, -1);
}

void live_down(struct live *live, const char *argument)
{
    (void)argument;
    move(live, 1);
}

void live_page_up(struct live *live, const char *argument)
{
    (void)argument;
    move(live, -page(live));
}

void live_page_down(struct live *live, const char *argument)
{
    (void)argument;
    move(live, page(live));
}

void live_home(struct live *live, const char *argument)
{
    (void)argument;
    live_move_to(live, 0);
    if (live->mode == LIVE_RANKING)
        live->row.known = false;
}

void live_end(struct live *live, const char *argument)
{
    (void)argument;
    live_move_to(live, SIZE_MAX);
}

/* The title in the headings under the mouse. */
static const struct view_column *title_at(const struct live *l, const struct term_mouse *m)
{
    const struct view_frame *f = &l->frame;

    for (size_t i = 0; (size_t)m->row == f->heading && i < f->title_count; i++) {
        unsigned column = (unsigned)m->column;
        if (column >= f->titles[i].column && column < f->titles[i].column + f->titles[i].cells)
            return f->titles[i].what;
    }
    return NULL;
}

static void press(struct live *l, const struct term_mouse *m)
{
    const struct view_column *title = title_at(l, m);

    if (title && l->mode == LIVE_RANKING) {
        live_sort(l, title->name);
        return;
    }
    if ((size_t)m->row >= l->frame.count || l->frame.lines[m->row].row == VIEW_NO_ROW)
        return;
    size_t row = l->frame.lines[m->row].row;
    live_move_to(l, row);
    if (m->what == TERM_MOUSE_DOUBLE && l->mode != LIVE_HELP)
        live_zoom_in(l, NULL);
}

void live_mouse(struct live *live)
{
    struct term_mouse m = term_mouse(live->term);

    if (live->yes)
        return;
    switch (m.what) {
    case TERM_MOUSE_WHEEL_UP:
        move(live, -WHEEL);
        break;
    case TERM_MOUSE_WHEEL_DOWN:
        move(live, WHEEL);
        break;
    case TERM_MOUSE_PRESS:
    case TERM_MOUSE_DOUBLE:
        press(live, &m);
        break;
    }
}
