/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing from a list over the last lines. */
#include "live_private.h"

static void choose(struct live *l)
{
    void (*chosen)(struct live *, size_t) = l->over.menu.chosen;

    l->over.menu.chosen = NULL;
    chosen(l, l->over.menu.selected);
}

static void press_menu(struct live *l)
{
    struct term_mouse m = term_mouse(l->term);

    if (m.what == TERM_MOUSE_WHEEL_UP)
        live_menu_key(l, TERM_KEY_UP);
    else if (m.what == TERM_MOUSE_WHEEL_DOWN)
        live_menu_key(l, TERM_KEY_DOWN);
}

void live_menu_key(struct live *live, int key)
{
    struct live_menu *m = &live->over.menu;

    switch (key) {
    case TERM_KEY_MOUSE:
        press_menu(live);
        break;
    case TERM_KEY_UP:
    case 'k':
        m->selected = m->selected ? m->selected - 1 : m->count - 1;
        break;
    case TERM_KEY_DOWN:
    case 'j':
        m->selected = m->selected + 1 < m->count ? m->selected + 1 : 0;
        break;
    case TERM_KEY_HOME:
    case TERM_KEY_PAGE_UP:
        m->selected = 0;
        break;
    case TERM_KEY_END:
    case TERM_KEY_PAGE_DOWN:
        m->selected = m->count - 1;
        break;
    case '\n':
        choose(live);
        break;
    case 27:
    case 'q':
        m->chosen = NULL;
        break;
    default:
        break;
    }
}
