/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of the live screen: what a poll brings and what a key does comes together here. */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <gdbmi/record.h>
#include <shell/shell.h>

#include "draw.h"
#include "live_private.h"

/* A screen that still says something: a name and its share. */
#define ROWS_MIN    4
#define COLUMNS_MIN 16

/* Keys that are taken before the screen is drawn. */
#define KEYS_AT_ONCE 64

/* How long the link may take to end before it is said that it is waited for. */
#define PATIENCE_MS 500

/* How often it is looked whether a disassembly has come. */
#define LOOK_S 0.05

static int open_term(struct live *l)
{
    char text[200];

    if (term_open(&l->term, ROWS_MIN, COLUMNS_MIN, text, sizeof(text)) != TERM_OK) {
        complain("%s; use --batch to print plain text", text);
        return STATUS_FAILED;
    }
    term_mouse_enable(l->term, true);
    live_guard(l);
    complain_hold(true);
    return STATUS_DONE;
}

/* Of a screen that is not open yet; NULL is allowed. */
static void free_live(struct live *l)
{
    if (!l)
        return;
    poller_close(&l->link.poller);
    prompt_close(l->over.prompt);
    zoom_close(l->zoom);
    zoom_arcs_free(l->link.arcs);
    baseline_free(l->baseline);
    free(l->per);
    live_filter_set(l, "");
    live_forget_rows(l);
    view_frame_free(&l->frame);
    sparklines_free(l->model.sparklines);
    live_thaw(l);
    watch_copy_free(&l->shown);
    l->link.target->session.shared = false;
    session_settle(&l->link.target->session);
    free(l->link.line);
    free(l);
}

static int open_parts(struct live *l)
{
    l->model.sparklines = sparklines_new();
    l->link.arcs = zoom_arcs_new();
    if (!l->model.sparklines || !l->link.arcs || !live_publish(l))
        return fail("out of memory");
    return poller_open(&l->link.poller) ? open_term(l) : STATUS_FAILED;
}

int live_open(struct options *options, struct watch *watch, struct time_range *range, int wake_fd,
              double start_s, struct live **live)
{
    struct live *l = calloc(1, sizeof(*l));

    if (!l)
        return fail("out of memory");
    *l = (struct live){.options = options,
                       .link.target = watch,
                       .link.poller.fds = {-1, -1},
                       .wake_fd = wake_fd,
                       .start_s = start_s,
                       .keys = live_keys,
                       .model = {.range = range, .profile = &l->shown.profile},
                       .mode = LIVE_RANKING};
    profile_init(&l->shown.profile);
    profile_init(&l->model.frozen.profile);
    profile_init(&l->model.frozen.watch.profile);
    watch->session.shared = true;
    int status = open_parts(l);
    if (status != STATUS_DONE) {
        free_live(l);
        return status;
    }
    live_offer_names(l);
    shell_keep(&l->shown.session);
    *live = l;
    return STATUS_DONE;
}

/* A server that answers late keeps the program, but no longer the terminal. */
static void end_work(struct poller *poller)
{
    struct pollfd done = {.fd = poller_fd(poller), .events = POLLIN};

    if (!poller_is_busy(poller))
        return;
    signals_give_up(true);
    if (poll(&done, 1, PATIENCE_MS) == 0)
        complain("waiting for the debug server to answer, to leave the target as it was found");
    poller_finish(poller);
    gdbmi_record_take();
    signals_give_up(false);
}

/* What keys have asked of the target, and was not done. */
static void say_undone(const struct live_link *link)
{
    size_t undone = link->line != NULL;

    for (size_t i = 0; i < link->request_count; i++) {
        const struct live_request *r = &link->requests[i];
        bool done = i == 0 && link->work == LIVE_REQUEST && r->status == STATUS_DONE;
        undone += !r->silent && !done;
    }
    if (undone)
        complain("mprof was quit before the debug server answered: %zu %s not carried out", undone,
                 undone == 1 ? "command was" : "commands were");
}

void live_close(struct live *live)
{
    if (!live)
        return;
    shell_keep(NULL);
    shell_names_set(NULL);
    complain_hold(false);
    signals_guard(NULL, NULL);
    term_close(live->term);
    end_work(&live->link.poller);
    say_undone(&live->link);
    free_live(live);
}

/* Whether a question is open that is not on the screen yet. */
static bool asks_unseen(const struct live *l)
{
    return live_is_asked(l) && l->over.shown != l->over.yes;
}

/* An answer is to a question that was seen: what was typed before it is on the screen is none, and
 * what is typed from then on is one. */
static void drop_typed(struct live *l)
{
    int key;

    if (!asks_unseen(l))
        return;
    do
        key = term_key(l->term, 0, l->wake_fd, -1);
    while (key != TERM_KEY_NONE && key != TERM_KEY_WAKE && key != TERM_KEY_GONE);
}

static bool draw(struct live *live)
{
    struct view_frame frame = {.lines = NULL}, overlay = {.lines = NULL};
    int height, width;

    if (!live_build(live, &frame))
        return false;
    bool made = live_build_overlay(live, &overlay);
    term_size(live->term, &height, &width);
    draw_screen(live->term, &frame, &overlay);
    if (live->over.prompt)
        term_cursor(live->term, height - 1, (int)live_prompt_column(live, (size_t)width));
    else
        term_cursor(live->term, -1, -1);
    drop_typed(live);
    term_flush(live->term);
    live->over.shown = live_is_asked(live) ? live->over.yes : NULL;
    view_frame_free(&overlay);
    view_frame_free(&live->frame);
    live->frame = frame;
    return made;
}

bool live_show(struct live *live)
{
    live_say_news(live);
    bool taken = live_take(live);

    if (live->over.notice[0] && monotonic_s() > live->over.notice_end_s)
        live->over.notice[0] = '\0';
    /* Nothing on the screen has names of an ELF file that was replaced. */
    if (taken && !poller_is_busy(&live->link.poller))
        session_settle(&live->link.target->session);
    if (!taken || !draw(live))
        return false;
    if (live->model.lines || live->model.all.count == 0)
        return true;
    live->model.lines = true;
    return live_take(live) && draw(live);
}

static bool is_bound(const struct live_key *k, int key)
{
    for (size_t i = 0; i < sizeof(k->keys) / sizeof(k->keys[0]) && k->keys[i]; i++)
        if (k->keys[i] == key)
            return true;
    return false;
}

static const struct live_key *find_key(const struct live *l, int key)
{
    for (const struct live_key *k = l->keys; k->help; k++)
        if ((k->modes & l->mode) && is_bound(k, key))
            return k;
    return NULL;
}

/* A letter in the other case is often the key that was wanted. */
static void say_unbound(struct live *l, int key)
{
    bool printable = key > ' ' && key < 127;

    for (const struct live_key *k = l->keys; k->help; k++) {
        if ((printable || key == '\t') && is_bound(k, key)) {
            live_say_elsewhere(l, k->shown, k->modes);
            return;
        }
    }
    const struct live_key *twin =
        printable && isalpha(key) ? find_key(l, islower(key) ? toupper(key) : tolower(key)) : NULL;
    if (twin)
        live_say(l, true, "no key '%c'; %s: %s", key, twin->shown, twin->help);
    else if (printable)
        live_say(l, true, "no key '%c'; ? lists the keys", key);
    else
        live_say(l, true, "this key does nothing; ? lists the keys");
}

static void answer(struct live *l, int key)
{
    void (*yes)(struct live *) = l->over.yes;

    l->over.yes = l->over.shown = NULL;
    if (key == 'y' || key == 'Y')
        yes(l);
    else
        live_say(l, false, "cancelled");
}

/* What was said of the key before is over. */
static void act(struct live *l, const struct live_key *key)
{
    l->over.notice[0] = '\0';
    key->act(l, NULL);
}

static void take_key(struct live *l, int key)
{
    const struct live_key *known;

    /* It was an answer to the key before. */
    l->over.notice[0] = '\0';
    if (l->over.prompt)
        live_prompt_key(l, key);
    else if (l->over.menu.chosen)
        live_menu_key(l, key);
    else if (l->over.yes && key != TERM_KEY_MOUSE)
        answer(l, key);
    else if (key == TERM_KEY_MOUSE)
        live_mouse(l);
    else if ((known = find_key(l, key)) != NULL)
        act(l, known);
    else
        say_unbound(l, key);
}

int live_take_over(struct live *live)
{
    enum live_work ended = live->link.work;
    int status = live_collect(live);

    if (status != STATUS_DONE || ended == LIVE_DRAIN)
        return status;
    if (!live_show(live))
        return watch_fail(live->link.target, "out of memory");
    return status;
}

/* Ctrl-C gives up what is being typed before it leaves. false: there is nothing to give up. */
static bool give_up(struct live *l)
{
    bool open = l->over.prompt || l->over.menu.chosen || l->over.yes;

    if (!open || !signals_interrupted())
        return false;
    signals_clear();
    take_key(l, 27);
    return true;
}

/* All keys that are there already are taken before the screen is drawn once. Returns false if one
 * of them ends it. */
static bool take_keys(struct live *l, int key)
{
    for (int taken = 0; key != TERM_KEY_NONE && !l->leave && taken < KEYS_AT_ONCE; taken++) {
        if (key == TERM_KEY_GONE || (key == TERM_KEY_WAKE && !give_up(l)))
            return false;
        if (key != TERM_KEY_RESIZE && key != TERM_KEY_WAKE)
            take_key(l, key);
        if (asks_unseen(l))
            break;
        key = term_key(l->term, 0, l->wake_fd, -1);
    }
    return !l->leave;
}

bool live_wait(struct live *live, double seconds)
{
    bool linked = poller_is_busy(&live->link.poller);
    bool busy = live->zoom && zoom_fd(live->zoom) >= 0;
    double wait_s = fmin(seconds, busy ? LOOK_S : 3600);
    int key = term_key(live->term, (int)ceil(wait_s * 1e3), live->wake_fd,
                       linked ? poller_fd(&live->link.poller) : -1);

    if (key == TERM_KEY_DONE || (key == TERM_KEY_NONE && !busy && !linked))
        return true;
    if (!take_keys(live, key))
        return false;
    if (busy && live->zoom && !live_update_zoom(live))
        live_say(live, true, "out of memory");
    return draw(live);
}
