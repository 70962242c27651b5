/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows what one poll brought. */
#define _POSIX_C_SOURCE 200809L

#include "refresh.h"

#include <base/say.h>
#include <base/signals.h>
#include <target/watch_status.h>

static const struct profile *shown_of(const struct refresh *r)
{
    return r->range ? time_range_profile(r->range, r->watch) : &r->watch->profile;
}

/* The rows that are known now, to be freed. false: no memory. */
static bool make_rows(const struct watch *w, const struct profile *shown, struct view_rows *rows)
{
    struct symtab *names = session_has_names(&w->session) ? w->session.elf.symtab : NULL;

    if (!view_rows_build(shown, names, w->options->by, &w->session.ignore, rows))
        return false;
    session_mark(&w->session, rows);
    view_rows_sort(rows, w->options->sort);
    return true;
}

bool refresh_show(const struct refresh *refresh, struct top_output *output)
{
    const struct watch *w = refresh->watch;
    const struct profile *shown = shown_of(refresh);
    struct view_status status = watch_status(refresh->watch, refresh->command, refresh->start_s);
    struct view_rows rows;

    if (!make_rows(w, shown, &rows))
        return false;
    /* The signal may have ended the reading of names. */
    bool done = signals_pending() || top_output_show(output, &status, shown, &rows);
    view_rows_free(&rows);
    return done;
}

int refresh_once(const struct refresh *refresh)
{
    const struct watch *w = refresh->watch;
    const struct profile *shown = shown_of(refresh);
    struct view_status about = watch_status(refresh->watch, refresh->command, refresh->start_s);
    struct view_rows rows;

    if (!make_rows(w, shown, &rows))
        return fail("out of memory");
    int status =
        signals_pending() ? STATUS_DONE : top_output_once(w->options, &about, shown, &rows);
    view_rows_free(&rows);
    return status;
}
