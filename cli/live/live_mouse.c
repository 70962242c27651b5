/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the mouse does. */
#include "live_private.h"

/* Lines that the wheel moves. */
#define WHEEL 3

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

    if (live->over.yes)
        return;
    switch (m.what) {
    case TERM_MOUSE_WHEEL_UP:
        live_move_by(live, -WHEEL);
        break;
    case TERM_MOUSE_WHEEL_DOWN:
        live_move_by(live, WHEEL);
        break;
    case TERM_MOUSE_PRESS:
    case TERM_MOUSE_DOUBLE:
        press(live, &m);
        break;
    }
}
