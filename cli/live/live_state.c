/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all keys act upon: the cursor of the mode, what is said and what is asked. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>

#include "live_private.h"

/* How long news stays at most that no key asked for. The next key takes any message away. */
#define NEWS_S 6

static void restore(const void *term)
{
    term_restore_emergency(term);
}

void live_guard(const struct live *live)
{
    signals_guard(restore, live->term);
}

void live_say(struct live *live, bool bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(live->over.notice, sizeof(live->over.notice), format, args);
    va_end(args);
    live->over.notice_end_s = INFINITY;
    live->over.notice_bad = bad;
}

void live_say_complaint(struct live *live)
{
    live_say(live, true, "%s", complained());
}

void live_say_news(struct live *live)
{
    if (complaints() != live->complaints && complained()[0]) {
        live_say_complaint(live);
        live->over.notice_end_s = monotonic_s() + NEWS_S;
    }
    live->complaints = complaints();
}

void live_say_elsewhere(struct live *live, const char *what, unsigned modes)
{
    const char *advice = "Esc goes back";

    if (live->mode == LIVE_RANKING && modes == LIVE_ZOOM) {
        live_say(live, true, "%s works only in an annotated function; Enter opens one", what);
        return;
    }
    if (live->mode == LIVE_RANKING) /* from which there is no way back */
        advice = "? lists the keys";
    live_say(live, true, "%s does not work on this screen; %s", what, advice);
}

struct live_cursor *live_cursor(struct live *live)
{
    switch (live->mode) {
    case LIVE_CHANGES:
        return &live->cursors.changes;
    case LIVE_ZOOM:
        return &live->cursors.zoom;
    case LIVE_HELP:
        return &live->cursors.help;
    case LIVE_RANKING:
        break;
    }
    return &live->cursors.ranking;
}

const struct view_row *live_selected(const struct live *live)
{
    size_t place = live->cursors.ranking.selected;

    return place < live->model.rows.count ? &live->model.rows.rows[place] : NULL;
}

bool live_act(struct live *live, const char *name, const char *argument)
{
    for (const struct live_key *k = live->keys; k->help; k++) {
        if (!k->name || strcmp(k->name, name) != 0)
            continue;
        if (!(k->modes & live->mode))
            live_say_elsewhere(live, name, k->modes);
        else if (argument && !k->takes)
            live_say(live, true, "unexpected argument '%s': %s takes none", argument, name);
        else
            k->act(live, argument);
        return true;
    }
    return false;
}

void live_ask(struct live *live, void (*yes)(struct live *), const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(live->over.question, sizeof(live->over.question), format, args);
    va_end(args);
    live->over.yes = yes;
}
