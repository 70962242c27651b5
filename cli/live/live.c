/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of the live screen: what a poll brings and what a key does comes together here. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <base/say.h>
#include <base/signals.h>
#include <shell/shell.h>

#include "draw.h"
#include "live_private.h"

/* A screen that still says something: a name and its share. */
#define ROWS_MIN    4
#define COLUMNS_MIN 16

/* How long something that was said stays at most; the next key takes it away. */
#define NOTICE_S 6

/* Keys that are taken before the screen is drawn. */
#define KEYS_AT_ONCE 64

/* How often it is looked whether a disassembly has come. */
#define LOOK_S 0.05

static void restore(const void *term)
{
    term_restore_emergency(term);
}

void live_guard(const struct live *live)
{
    signals_guard(restore, live->term);
}

static int open_term(struct live *l)
{
    char text[200];

    if (term_open(&l->term, ROWS_MIN, COLUMNS_MIN, text, sizeof(text)) != TERM_OK) {
        complain("%s; --batch prints plain text", text);
        return STATUS_FAILED;
    }
    term_mouse_enable(l->term, true);
    live_guard(l);
    complain_hold(true);
    return STATUS_DONE;
}

int live_open(struct options *options, struct watch *watch, struct span *span, int wake_fd,
              double start_s, struct live **live)
{
    struct live *l = calloc(1, sizeof(*l));

    if (!l)
        return fail("out of memory");
    *l = (struct live){.options = options,
                       .watch = watch,
                       .span = span,
                       .wake_fd = wake_fd,
                       .start_s = start_s,
                       .profile = &watch->profile,
                       .mode = LIVE_RANKING,
                       .past = view_past_new()};
    int status = l->past ? open_term(l) : fail("out of memory");
    if (status != STATUS_DONE) {
        view_past_free(l->past);
        free(l);
        return status;
    }
    profile_init(&l->frozen);
    profile_init(&l->frozen_watch.profile);
    live_offer_names(l);
    shell_keep(&watch->session);
    *live = l;
    return STATUS_DONE;
}

static void forget_rows(struct live *l)
{
    view_rows_free(&l->all);
    free(l->rows.rows);
    l->all = l->rows = (struct view_rows){.rows = NULL};
}

void live_close(struct live *live)
{
    if (!live)
        return;
    shell_keep(NULL);
    shell_complete_also(NULL);
    complain_hold(false);
    signals_guard(NULL, NULL);
    term_close(live->term);
    prompt_close(live->prompt);
    zoom_close(live->zoom);
    baseline_free(live->baseline);
    live_filter_set(live, "");
    forget_rows(live);
    view_frame_free(&live->frame);
    view_past_free(live->past);
    live_thaw(live);
    free(live);
}

void live_say(struct live *live, bool bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(live->notice, sizeof(live->notice), format, args);
    va_end(args);
    live->notice_s = watch_now_s();
    live->notice_bad = bad;
}

void live_say_complaint(struct live *live)
{
    live_say(live, true, "%s", complained());
}

struct live_cursor *live_cursor(struct live *live)
{
    int bit = 0;

    while ((live->mode >> bit) != 1)
        bit++;
    return &live->cursors[bit];
}

/* Where functions stand in the source takes several times as long to find as their names: the first
 * screen does without, unless that would change its rows. */
static struct symbol_naming without_lines(const struct live *l, struct symbol_naming naming)
{
    enum view_by by = l->options->by;

    if (!l->lines && (by == VIEW_BY_FUNCTION || by == VIEW_BY_ARC) &&
        !l->watch->session.ignore.files) {
        naming.find_line = NULL;
        naming.find_start = NULL;
    }
    return naming;
}

static bool make_rows(struct live *l)
{
    const struct options *o = l->options;
    const struct session *s = &l->watch->session;
    struct symtab *names = session_has_names(s) ? s->elf.symtab : NULL;
    const struct symbol_naming naming = symtab_naming(names);
    const struct symbol_naming quick = without_lines(l, naming);

    forget_rows(l);
    if (!view_rows_build_named(l->profile, &quick, o->by, &s->ignore, &l->all))
        return false;
    l->known = names;
    session_mark(s, &l->all);
    view_usage_make(l->profile, &l->all, &l->usage);
    view_rows_sort(&l->all, o->sort);
    for (size_t i = 0, j = l->all.count; l->reversed && i + 1 < j; i++) {
        struct view_row row = l->all.rows[i];
        l->all.rows[i] = l->all.rows[--j];
        l->all.rows[j] = row;
    }
    return live_filter_rows(l) &&
           (!span_past(l->span) || view_past_update(l->past, span_past(l->span), l->profile,
                                                    names ? &naming : NULL, o->by, &s->ignore));
}

/* The cursor stays on its instruction when lines come and go above it. */
static bool update_zoom(struct live *l)
{
    struct live_cursor *c = &l->cursors[2];

    if (!zoom_update(l->zoom, l->watch, l->profile))
        return false;
    c->selected = zoom_follow(l->zoom, c->selected);
    return true;
}

/* Addresses of another build are not to be read with the names of this one. */
static void thaw_after_reload(struct live *l)
{
    const struct elf_file *now = &l->watch->session.elf;
    const struct elf_file *then = &l->frozen_watch.session.elf;

    if (!l->freeze || (now->symtab == then->symtab &&
                       memcmp(&now->loaded, &then->loaded, sizeof(now->loaded)) == 0))
        return;
    live_thaw(l);
    live_say(l, true, "the ELF was loaded again: the screen goes on");
}

bool live_take(struct live *live)
{
    thaw_after_reload(live);
    live->profile = live->freeze ? &live->frozen : span_profile(live->span, live->watch);
    if (!make_rows(live))
        return false;
    live_follow(live);
    return !live->zoom || update_zoom(live);
}

void live_retake(struct live *live)
{
    if (!live_take(live))
        live_say(live, true, "out of memory");
}

const struct view_row *live_selected(const struct live *live)
{
    size_t place = live->cursors[0].selected;

    return place < live->rows.count ? &live->rows.rows[place] : NULL;
}

bool live_draw(struct live *live)
{
    struct view_frame frame = {.lines = NULL}, overlay = {.lines = NULL};
    int height, width;

    if (!live_build(live, &frame))
        return false;
    bool made = live_build_overlay(live, &overlay);
    term_size(live->term, &height, &width);
    draw_screen(live->term, &frame, &overlay);
    if (live->prompt)
        term_cursor(live->term, height - 1, (int)live_prompt_column(live, (size_t)width));
    else
        term_cursor(live->term, -1, -1);
    term_flush(live->term);
    view_frame_free(&overlay);
    view_frame_free(&live->frame);
    live->frame = frame;
    return made;
}

/* What was complained about amid a poll, by whom it concerned. */
static void say_news(struct live *l)
{
    if (complaints() != l->complaints && complained()[0])
        live_say_complaint(l);
    l->complaints = complaints();
}

bool live_show(struct live *live)
{
    say_news(live);
    bool taken = live_take(live);

    if (live->notice[0] && watch_now_s() - live->notice_s > NOTICE_S)
        live->notice[0] = '\0';
    if (!taken || !live_draw(live))
        return false;
    if (live->lines || live->all.count == 0)
        return true;
    live->lines = true;
    return live_take(live) && live_draw(live);
}

static const struct live_key *find_key(const struct live *l, int key)
{
    for (const struct live_key *k = live_keys; k->help; k++) {
        for (size_t i = 0; i < sizeof(k->keys) / sizeof(k->keys[0]) && k->keys[i]; i++)
            if (k->keys[i] == key && (k->modes & l->mode))
                return k;
    }
    return NULL;
}

bool live_act(struct live *live, const char *name, const char *argument)
{
    for (const struct live_key *k = live_keys; k->help; k++) {
        if (!k->name || strcmp(k->name, name) != 0)
            continue;
        if (!(k->modes & live->mode))
            live_say(live, true, "%s: not on this screen; Esc goes back", name);
        else if (argument && !k->takes)
            live_say(live, true, "%s takes nothing, not '%s'", name, argument);
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
    vsnprintf(live->question, sizeof(live->question), format, args);
    va_end(args);
    live->yes = yes;
}

static void answer(struct live *l, int key)
{
    void (*yes)(struct live *) = l->yes;

    l->yes = NULL;
    if (key == 'y' || key == 'Y')
        yes(l);
    else
        live_say(l, false, "nothing was done");
}

/* What was said of the key before is over. */
static void act(struct live *l, const struct live_key *key)
{
    l->notice[0] = '\0';
    key->act(l, NULL);
}

static void take_key(struct live *l, int key)
{
    const struct live_key *known;

    /* It was an answer to the key before. */
    l->notice[0] = '\0';
    if (l->prompt)
        live_prompt_key(l, key);
    else if (l->menu.chosen)
        live_menu_key(l, key);
    else if (l->yes && key != TERM_KEY_MOUSE)
        answer(l, key);
    else if (key == TERM_KEY_MOUSE)
        live_mouse(l);
    else if ((known = find_key(l, key)) != NULL)
        act(l, known);
}

/* An answer is to a question that was seen. */
static void drop_typed(struct live *l)
{
    int key;

    do
        key = term_key(l->term, 0, l->wake_fd);
    while (key != TERM_KEY_NONE && key != TERM_KEY_WAKE && key != TERM_KEY_GONE);
}

/* Ctrl-C gives up what is being typed before it leaves. false: there is nothing to give up. */
static bool give_up(struct live *l)
{
    bool open = l->prompt || l->menu.chosen || l->yes;

    if (!open || !signals_interrupted())
        return false;
    signals_clear();
    take_key(l, 27);
    return true;
}

enum live_event live_wait(struct live *live, double seconds)
{
    bool busy = live->zoom && zoom_fd(live->zoom) >= 0;
    double wait_s = fmin(seconds, busy ? LOOK_S : 3600);
    int key = term_key(live->term, (int)ceil(wait_s * 1e3), live->wake_fd);
    bool asked = live->yes != NULL;

    if (key == TERM_KEY_NONE && !busy)
        return LIVE_NOTHING;
    live->poll = false;
    /* All keys that are there already are taken before the screen is drawn once. */
    for (int taken = 0; key != TERM_KEY_NONE && !live->leave && taken < KEYS_AT_ONCE; taken++) {
        if (key == TERM_KEY_GONE || (key == TERM_KEY_WAKE && !give_up(live)))
            return LIVE_LEAVE;
        if (key != TERM_KEY_RESIZE && key != TERM_KEY_WAKE)
            take_key(live, key);
        if (live->yes && !asked)
            break;
        key = term_key(live->term, 0, live->wake_fd);
    }
    if (busy && live->zoom && !update_zoom(live))
        live_say(live, true, "out of memory");
    if (live->leave || !live_draw(live))
        return LIVE_LEAVE;
    if (live->yes && !asked)
        drop_typed(live);
    return live->poll ? LIVE_POLL : LIVE_NOTHING;
}
