/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mouse, by ncurses: it knows how each terminal tells of it. */
#include "term_private.h"

#include <curses.h>
#include <time.h>

#define DOUBLE_MS 400

void mouse_apply(const struct term *term)
{
    mmask_t wanted = BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED;

    mousemask(term->mouse_wanted ? wanted : 0, NULL);
}

void term_mouse_enable(struct term *term, bool enable)
{
    term->mouse_wanted = enable;
    if (!term->away)
        mouse_apply(term);
}

struct term_mouse term_mouse(const struct term *term)
{
    return term->mouse;
}

static long now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A third press in a row is the first of two again. The times are those at which they came: what
 * the first of two asks for may be drawn before the second is read. */
static void take_press(struct term *term)
{
    const struct term_mouse *before = &term->press;
    struct term_mouse *mouse = &term->mouse;
    bool again = term->press_ms >= 0 && term->events_ms - term->press_ms <= DOUBLE_MS &&
                 before->row == mouse->row && before->column == mouse->column;

    mouse->what = again ? TERM_MOUSE_DOUBLE : TERM_MOUSE_PRESS;
    term->press = *mouse;
    term->press_ms = again ? -1 : term->events_ms;
}

/* What an event is to a caller; false: nothing. */
static bool translate(const MEVENT *event, struct term_mouse *mouse)
{
    mouse->row = event->y;
    mouse->column = event->x;
    if (event->bstate & BUTTON1_PRESSED)
        mouse->what = TERM_MOUSE_PRESS;
    else if (event->bstate & BUTTON4_PRESSED)
        mouse->what = TERM_MOUSE_WHEEL_UP;
    else if (event->bstate & BUTTON5_PRESSED)
        mouse->what = TERM_MOUSE_WHEEL_DOWN;
    else
        return false;
    return true;
}

void mouse_collect(struct term *term)
{
    MEVENT event;

    /* ncurses gives those that came together last one first. */
    term->event_count = 0;
    term->events_ms = now_ms();
    while (term->event_count < MOUSE_EVENTS && getmouse(&event) == OK)
        if (term->mouse_wanted && translate(&event, &term->events[term->event_count]))
            term->event_count++;
}

bool mouse_take(struct term *term)
{
    if (term->event_count == 0)
        return false;
    term->mouse = term->events[--term->event_count];
    if (term->mouse.what == TERM_MOUSE_PRESS)
        take_press(term);
    return true;
}
