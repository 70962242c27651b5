/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Into a function, out of it, and into an editor. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/nearest.h>
#include <base/say.h>
#include <base/signals.h>
#include <code/source.h>
#include <load/near_names.h>

#include "live_private.h"

/* Lines in sight above the hottest one. */
#define ABOVE 4

static const struct view_row *find_function(const struct live *l, const char *name)
{
    for (size_t i = 0; name && i < l->model.all.count; i++) {
        const struct view_row *row = &l->model.all.rows[i];
        if (row->function && strcmp(row->function, name) == 0)
            return row;
    }
    return NULL;
}

/* A function that has no row of its own has no hits, but code. */
static bool find_code(const struct live *l, const char *name, struct view_row *row)
{
    size_t count = 0;
    const struct symtab_function *functions =
        l->model.known ? symtab_functions(l->model.known, &count) : NULL;

    for (size_t i = 0; i < count; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            *row = (struct view_row){.function = functions[i].name, .addr = functions[i].addr};
            return true;
        }
    }
    return false;
}

static int run_focus(struct live_request *r, struct watch *target)
{
    struct annotation annotation = {.part_count = r->part_count};

    if (!target->session.link || !target->session.sampler)
        return STATUS_DONE;
    for (size_t i = 0; i < r->part_count; i++)
        annotation.parts[i].function = &r->parts[i];
    return focus_begin(&target->focus, &target->session, &annotation);
}

static void show_focus(struct live *l, struct live_request *r)
{
    (void)r;
    l->link.poll |= l->shown.focus.on;
}

/* The code is shown in any case. */
static void focus_on_zoom(struct live *l)
{
    struct live_request request = {.run = run_focus, .done = show_focus, .silent = true};

    if (l->shown.trouble == WATCH_LOST || l->shown.state == GDBMI_STATE_HALTED)
        return;
    request.part_count = zoom_focus_parts(l->zoom, &l->shown.profile, request.parts);
    if (request.part_count)
        live_request(l, &request);
}

static int run_focus_end(struct live_request *r, struct watch *target)
{
    (void)r;
    focus_end(&target->focus, &target->session);
    return STATUS_DONE;
}

static void end_focus(struct live *l)
{
    const struct live_request request = {.run = run_focus_end, .silent = true};

    live_request(l, &request);
}

static int run_arcs(struct live_request *r, struct watch *target)
{
    zoom_arcs_read(r->arcs, &target->session);
    return STATUS_DONE;
}

static void show_arcs(struct live *l, struct live_request *r)
{
    if (l->zoom && !zoom_take_arcs(l->zoom, r->arcs))
        live_say(l, true, "out of memory");
}

/* Polls read them, too, but the next one may be far. */
static void ask_for_arcs(struct live *l)
{
    const struct live_request request = {
        .run = run_arcs, .done = show_arcs, .silent = true, .arcs = l->link.arcs};

    if (l->shown.trouble != WATCH_LOST && zoom_wants_arcs(l->zoom, l->model.profile))
        live_request(l, &request);
}

static void open_zoom(struct live *l, const struct view_row *row)
{
    char text[LIVE_TEXT];
    struct zoom *zoom = zoom_open(&l->shown, row, text, sizeof(text));

    if (!zoom) {
        live_say(l, true, "%s", text);
        return;
    }
    zoom_close(l->zoom);
    l->zoom = zoom;
    if (l->mode != LIVE_ZOOM)
        l->before_zoom = l->mode;
    l->mode = LIVE_ZOOM;
    focus_on_zoom(l);
    if (!zoom_update(zoom, &l->shown, l->model.profile))
        live_say(l, true, "out of memory");
    size_t at = zoom_follow(zoom, 0);
    *live_cursor(l) = (struct live_cursor){.selected = at, .first = at > ABOVE ? at - ABOVE : 0};
}

/* A context has no inside but its functions. */
static void enter_context(struct live *l, const struct view_row *row)
{
    struct view_ignore *ignore = &l->shown.session.ignore;

    if (!view_has_contexts(l->model.profile) || l->model.profile->by_context) {
        live_say(l, true, "only --sampler stream records which functions ran in a context");
        return;
    }
    for (size_t i = 0; i < PROFILE_CONTEXTS; i++)
        ignore->contexts[i] = i == row->exception;
    ignore->some_contexts = true;
    live_say(l, false, "showing only %s; Esc shows all contexts", row->function);
    live_by_function(l, NULL);
}

static void say_unknown(struct live *l, const char *name)
{
    char hint[NEAREST_HINT];
    struct nearest nearest;

    nearest_begin(&nearest, name, strlen(name));
    if (l->model.known)
        near_functions(&nearest, l->model.known);
    live_say(l, true, "no function named '%.100s'%s", name,
             nearest_hint(&nearest, "", hint, sizeof(hint)));
}

static void zoom_by_name(struct live *l, const char *name)
{
    struct view_row code;
    const struct view_row *row = find_function(l, name);

    if (row)
        open_zoom(l, row);
    else if (find_code(l, name, &code))
        open_zoom(l, &code);
    else
        say_unknown(l, name);
}

/* The function under the cursor of the changes; NULL: none is. */
static const char *changed_function(const struct live *l)
{
    const struct view_changes *c = baseline_changes(l->baseline);
    size_t row = l->cursors.changes.selected;

    return c && row < c->count ? c->rows[row].function : NULL;
}

void live_zoom_in(struct live *live, const char *argument)
{
    const char *name = argument;
    struct view_row row;

    if (!name && live->mode == LIVE_ZOOM) {
        if (zoom_target_row(live->zoom, live_cursor(live)->selected, &row))
            open_zoom(live, &row);
        return;
    }
    if (!name && live->mode == LIVE_CHANGES)
        name = changed_function(live);
    else if (!name && live_selected(live)) {
        if (live->options->by == VIEW_BY_CONTEXT)
            enter_context(live, live_selected(live));
        else
            open_zoom(live, live_selected(live));
        return;
    }
    if (name)
        zoom_by_name(live, name);
}

void live_panel(struct live *live, const char *argument)
{
    (void)argument;
    zoom_next_panel(live->zoom);
    ask_for_arcs(live);
    if (!zoom_update(live->zoom, &live->shown, live->model.profile))
        live_say(live, true, "out of memory");
    live_cursor(live)->selected = zoom_follow(live->zoom, live_cursor(live)->selected);
}

/* Out of what was entered last. */
void live_back(struct live *live, const char *argument)
{
    (void)argument;
    switch (live->mode) {
    case LIVE_HELP:
        live->mode = live->before_help;
        break;
    case LIVE_ZOOM:
        zoom_close(live->zoom);
        live->zoom = NULL;
        end_focus(live);
        live->mode = live->before_zoom;
        break;
    case LIVE_CHANGES:
        live->mode = LIVE_RANKING;
        break;
    case LIVE_RANKING:
        break;
    }
}

void live_help(struct live *live, const char *argument)
{
    (void)argument;
    if (live->mode == LIVE_HELP) {
        live_back(live, NULL);
        return;
    }
    live->before_help = live->mode;
    live->mode = LIVE_HELP;
    *live_cursor(live) = (struct live_cursor){.selected = 0};
}

void live_quit(struct live *live, const char *argument)
{
    (void)argument;
    if (live->mode & (LIVE_HELP | LIVE_ZOOM))
        live_back(live, NULL);
    else
        live->leave = true;
}

void live_redraw(struct live *live, const char *argument)
{
    (void)argument;
    term_redraw(live->term);
}

/* What would end us ends the wait, and the editor goes on alone. */
static int wait_for(struct live *l, pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, WNOHANG) == 0)
        if (!live_wait_aside(l, -1))
            return 0;
    return status;
}

/* A name that begins as an option does. */
static bool looks_like_option(const char *file)
{
    return file[0] == '-' || file[0] == '+';
}

static int run_editor(struct live *l, const char *file, unsigned line)
{
    char at[24], path[PATH_MAX + 4];

    snprintf(at, sizeof(at), "+%u", line);
    snprintf(path, sizeof(path), "%s%s", looks_like_option(file) ? "./" : "", file);
    pid_t child = fork();
    if (child == 0) {
        signals_default();
        execl("/bin/sh", "sh", "-c", "exec ${VISUAL:-${EDITOR:-vi}} \"$@\"", "sh", at, path,
              (char *)NULL);
        _exit(127);
    }
    return child < 0 ? -1 : wait_for(l, child);
}

static void edit(struct live *l, const char *file, unsigned line)
{
    if (!l->aside && !term_suspend(l->term)) {
        live_say(l, true, "cannot give the terminal to the editor");
        return;
    }
    signals_guard(NULL, NULL);
    signals_yield(true);
    int status = run_editor(l, file, line);
    signals_yield(false);
    bool back = l->aside || term_resume(l->term);
    if (!l->aside)
        live_guard(l);
    if (!back)
        l->leave = true;
    else if (status == -1)
        live_say(l, true, "cannot start an editor: %s", strerror(errno));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        live_say(l, true, "no editor: set VISUAL or EDITOR");
}

static bool place_of(const struct live *l, const char **file, unsigned *line)
{
    const struct view_row *row = live_selected(l);

    if (l->mode == LIVE_ZOOM)
        return zoom_place(l->zoom, l->cursors.zoom.selected, file, line);
    if (l->mode == LIVE_CHANGES)
        row = find_function(l, changed_function(l));
    if (!row || !row->file)
        return false;
    *file = row->file;
    *line = row->line ? row->line : 1;
    return true;
}

void live_edit(struct live *live, const char *argument)
{
    struct source_file source = {.path = NULL};
    const char *file;
    unsigned line;

    (void)argument;
    if (!place_of(live, &file, &line)) {
        live_say(live, true, "no source line is known for this row: build with -g");
        return;
    }
    if (!source_read(file, live->options->sources, &source))
        live_say(live, true, "out of memory");
    else if (!source.path)
        live_say(live, true, "%s not found; give its folder with --source DIR", file);
    else
        edit(live, source.path, line);
    source_free(&source);
}
