/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows that are shown, and the cursor's row among them. */
#include <stdlib.h>
#include <string.h>

#include <ranking/row_key.h>

#include "live_private.h"

void live_forget_rows(struct live *live)
{
    view_rows_free(&live->model.all);
    free(live->model.rows.rows);
    live->model.all = live->model.rows = (struct view_rows){.rows = NULL};
}

/* Where functions stand in the source takes several times as long to find as their names: the first
 * screen does without, unless that would change its rows. */
static struct symbol_naming without_lines(const struct live *l, struct symbol_naming naming)
{
    enum view_by by = l->options->by;

    if (!l->model.lines && (by == VIEW_BY_FUNCTION || by == VIEW_BY_ARC) &&
        !l->shown.session.ignore.files) {
        naming.find_line = NULL;
        naming.find_start = NULL;
    }
    return naming;
}

static bool make_rows(struct live *l)
{
    const struct options *o = l->options;
    const struct session *s = &l->shown.session;
    struct symtab *names = session_has_names(s) ? s->elf.symtab : NULL;
    const struct symbol_naming naming = symtab_naming(names);
    const struct symbol_naming quick = without_lines(l, naming);

    live_forget_rows(l);
    if (!view_rows_build_named(l->model.profile, &quick, o->by, &s->ignore, &l->model.all))
        return false;
    l->model.known = names;
    session_mark(s, &l->model.all);
    view_usage_make(l->model.profile, &l->model.all, &l->model.usage);
    view_rows_sort(&l->model.all, o->sort);
    for (size_t i = 0, j = l->model.all.count; l->model.reversed && i + 1 < j; i++) {
        struct view_row row = l->model.all.rows[i];
        l->model.all.rows[i] = l->model.all.rows[--j];
        l->model.all.rows[j] = row;
    }
    return live_filter_rows(l) &&
           (!time_range_recent_window(l->model.range) ||
            sparklines_update(l->model.sparklines, time_range_recent_window(l->model.range),
                              l->model.profile, names ? &naming : NULL, o->by, &s->ignore));
}

static uint64_t key_of(const struct live *l, const struct view_row *row)
{
    const struct row_key key = row_key_of(l->options->by, l->model.rows.numbered, row);

    return row_key_hash(&key);
}

/* What has no name is where it was, in another build too. */
static uint64_t key_across(const struct live *l, const struct view_row *row)
{
    const struct row_key key = row_key_across(l->options->by, l->model.rows.numbered, true, row);

    return row_key_hash(&key);
}

void live_remember(struct live *live, size_t place)
{
    if (place >= live->model.rows.count)
        return;
    const struct view_row *row = &live->model.rows.rows[place];
    live->model.row = (struct live_row){.known = true,
                                        .names = live->model.known,
                                        .elf = live->shown.session.elf.loaded,
                                        .key = key_of(live, row),
                                        .across = key_across(live, row)};
}

static bool is_same_build(const struct live *l)
{
    const struct live_row *r = &l->model.row;

    return r->names == l->model.known && file_stamp_same(&r->elf, &l->shown.session.elf.loaded);
}

/* The cursor's row; SIZE_MAX: it is not among those that are shown. */
static size_t find_row(const struct live *l)
{
    const struct live_row *r = &l->model.row;
    bool same = is_same_build(l);

    for (size_t i = 0; i < l->model.rows.count; i++) {
        const struct view_row *row = &l->model.rows.rows[i];
        if (same ? key_of(l, row) == r->key : key_across(l, row) == r->across)
            return i;
    }
    return SIZE_MAX;
}

void live_follow(struct live *live)
{
    struct live_cursor *c = &live->cursors.ranking;

    c->total = live->model.rows.count;
    size_t found = live->model.row.known ? find_row(live) : SIZE_MAX;
    if (found != SIZE_MAX) {
        c->selected = found;
        live_remember(live, found); /* as it is in this build */
        return;
    }
    if (!live->model.row.known)
        c->selected = c->first = 0;
    if (c->selected >= c->total)
        c->selected = c->total ? c->total - 1 : 0;
}

bool live_update_zoom(struct live *live)
{
    struct live_cursor *c = &live->cursors.zoom;

    if (!zoom_update(live->zoom, &live->shown, live->model.profile))
        return false;
    c->selected = zoom_follow(live->zoom, c->selected);
    return true;
}

void live_thaw(struct live *live)
{
    profile_free(&live->model.frozen.profile);
    profile_init(&live->model.frozen.profile);
    watch_copy_free(&live->model.frozen.watch);
    live->model.frozen.on = false;
}

/* Addresses of another build are not to be read with the names of this one. */
static void thaw_after_reload(struct live *l)
{
    const struct elf_file *now = &l->shown.session.elf;
    const struct elf_file *then = &l->model.frozen.watch.session.elf;

    if (!l->model.frozen.on ||
        (now->symtab == then->symtab && file_stamp_same(&now->loaded, &then->loaded)))
        return;
    live_thaw(l);
    live_say(l, true, "the ELF file was loaded again");
}

bool live_take(struct live *live)
{
    thaw_after_reload(live);
    live->model.profile = live->model.frozen.on
                              ? &live->model.frozen.profile
                              : time_range_profile(live->model.range, &live->shown);
    if (!make_rows(live))
        return false;
    live_follow(live);
    return !live->zoom || live_update_zoom(live);
}

void live_retake(struct live *live)
{
    if (!live_take(live))
        live_say(live, true, "out of memory");
}
