/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the cursor is, and how it moves. */
#include "live_private.h"

void live_move_to(struct live *live, size_t place)
{
    struct live_cursor *c = live_cursor(live);

    if (c->total == 0)
        return;
    /* Keys come faster than screens: what is selected in the help is its first line. */
    size_t last = live->mode == LIVE_HELP ? c->total - c->shown : c->total - 1;
    c->selected = place < last ? place : last;
    if (live->mode == LIVE_RANKING)
        live_remember(live, c->selected);
}

void live_move_by(struct live *live, long by)
{
    struct live_cursor *c = live_cursor(live);
    long at = c->selected == VIEW_NO_ROW ? 0 : (long)c->selected;

    live_move_to(live, at + by > 0 ? (size_t)(at + by) : 0);
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
    live_move_by(live, -1);
}

void live_down(struct live *live, const char *argument)
{
    (void)argument;
    live_move_by(live, 1);
}

void live_page_up(struct live *live, const char *argument)
{
    (void)argument;
    live_move_by(live, -page(live));
}

void live_page_down(struct live *live, const char *argument)
{
    (void)argument;
    live_move_by(live, page(live));
}

void live_home(struct live *live, const char *argument)
{
    (void)argument;
    live_move_to(live, 0);
    if (live->mode == LIVE_RANKING)
        live->model.row.known = false;
}

void live_end(struct live *live, const char *argument)
{
    (void)argument;
    live_move_to(live, SIZE_MAX);
}
