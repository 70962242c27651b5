/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done to the target, by those who asked for it. */
#include <string.h>

#include <base/say.h>
#include <base/signals.h>
#include <symbol/symtab.h>
#include <target/link_words.h>
#include <target/stub_control.h>

#include "live_private.h"

/* Bytes of the name of what counts. */
#define SOURCE_NAME 40

/* Whether there is somebody to ask. */
static bool has_link(struct live *l)
{
    if (!l->watch->session.link || !l->watch->session.sampler)
        live_say(l, true,
                 l->watch->session.awaited ? "there is no debug server yet: wait for it"
                                           : "the connection is lost: wait until it is back");
    return l->watch->session.link && l->watch->session.sampler;
}

/* A control action by its words, as mprof control takes them. */
static bool control(struct live *l, char **words)
{
    if (!has_link(l))
        return false;
    struct session *s = &l->watch->session;
    bool said = s->said;

    signals_hold(true);
    s->said = false; /* each key has an answer of its own */
    int status = control_words(s, words);
    s->said |= said;
    signals_hold(false);
    if (status != STATUS_DONE)
        live_say_complaint(l);
    l->poll = true;
    return status == STATUS_DONE;
}

static void reset(struct live *l)
{
    static char word[] = "reset";
    char *words[] = {word, NULL};

    if (control(l, words))
        live_say(l, false, "all counters in the target were cleared");
}

void live_reset(struct live *live, const char *argument)
{
    (void)argument;
    if (has_link(live))
        live_ask(live, reset, "clear all counters in the target?");
}

static void unignore(struct live *l)
{
    static char ignore[] = "ignore", none[] = "none";
    char *words[] = {ignore, none, NULL};

    if (control(l, words))
        live_say(l, false, "all ignores removed on the target");
}

void live_unignore(struct live *live, const char *argument)
{
    (void)argument;
    if (has_link(live))
        unignore(live);
}

void live_ignore(struct live *live, const char *argument)
{
    const struct view_row *row = live_selected(live);
    const struct symtab *names = live->model.known;

    (void)argument;
    if (!has_link(live))
        return;
    bool placed = live->options->by != VIEW_BY_FILE && live->options->by != VIEW_BY_CONTEXT;
    const struct symtab_function *f = placed && row && names ? symtab_find(names, row->addr) : NULL;
    if (!f) {
        live_say(live, true, "this row is not a function: only functions can be ignored");
        return;
    }
    signals_hold(true);
    int status =
        control_ignore_also(&live->watch->session, f->addr, f->addr + (f->size ? f->size : 2));
    signals_hold(false);
    if (status == STATUS_DONE)
        live_say(live, false, "%s is now ignored on the target; X removes all ignores", f->name);
    else
        live_say_complaint(live);
    live->poll = true;
}

static bool is_on(const struct live *l, size_t item)
{
    return strstr(l->over.menu.items[item], " on") != NULL;
}

static void name_source(const struct live *l, size_t item, char word[SOURCE_NAME])
{
    const char *text = l->over.menu.items[item];

    snprintf(word, SOURCE_NAME, "%.*s", (int)strcspn(text, " "), text);
}

static void switch_source(struct live *l)
{
    static char on[] = "on", off[] = "off";
    char word[SOURCE_NAME];
    bool was_on = is_on(l, l->over.menu.selected);
    char *words[] = {was_on ? off : on, word, NULL};

    name_source(l, l->over.menu.selected, word);
    if (control(l, words))
        live_say(l, false, "%s is %s", word, was_on ? "off" : "on");
}

static void choose_source(struct live *l, size_t item)
{
    char word[SOURCE_NAME];

    name_source(l, item, word);
    if (is_on(l, item))
        live_ask(l, switch_source, "switch %s off? This source counts nothing while it is off",
                 word);
    else
        live_ask(l, switch_source, "switch %s on?", word);
}

void live_sources(struct live *live, const char *argument)
{
    struct control_state states[CONTROL_STATES_MAX];
    size_t count = 0;

    (void)argument;
    if (!has_link(live))
        return;
    signals_hold(true);
    int status = control_states(&live->watch->session, states, &count);
    signals_hold(false);
    if (status != STATUS_DONE) {
        live_say_complaint(live);
        return;
    }
    live->over.menu.count = live->over.menu.selected = 0;
    for (size_t i = 0; i < count; i++)
        snprintf(live->over.menu.items[live->over.menu.count++], sizeof(live->over.menu.items[0]),
                 "%-10s %s", states[i].word, states[i].on ? "on" : "off");
    live->over.menu.title = "SOURCES: Enter switches one on or off (asks first)";
    if (count)
        live->over.menu.chosen = choose_source;
    else
        live_say(live, true, "this firmware's stub has no sources to switch");
}

static void say_link(struct live *l)
{
    char text[LINK_WORDS];

    live_say(l, true, "%s", link_words(gdbmi_link_error(l->watch->session.link), text));
}

static void halt(struct live *l)
{
    if (!has_link(l))
        return;
    signals_hold(true);
    l->halted = session_stats(&l->watch->session);
    enum gdbmi_code code = gdbmi_link_halt(l->watch->session.link);
    if (code == GDBMI_OK)
        gdbmi_link_keep_halted(l->watch->session.link);
    signals_hold(false);
    if (code == GDBMI_OK)
        live_say(l, false, "the target is halted; S or quitting continues it");
    else
        say_link(l);
    l->poll = true;
}

/* What a person asks for is not charged to --allow-halt. */
static void forgive_halt(struct live *l)
{
    struct gdbmi_stats now = session_stats(&l->watch->session);

    if (l->halted.age_ns == 0 || now.halts <= l->halted.halts)
        return;
    l->watch->asked_ns += now.halted_ns - l->halted.halted_ns;
    l->watch->asked_halts += now.halts - l->halted.halts;
    l->halted = (struct gdbmi_stats){.halts = 0};
}

static void resume(struct live *l)
{
    if (!has_link(l))
        return;
    signals_hold(true);
    enum gdbmi_code code = gdbmi_link_resume(l->watch->session.link);
    signals_hold(false);
    forgive_halt(l);
    if (code == GDBMI_OK)
        live_say(l, false, "the target is running");
    else
        say_link(l);
    l->poll = true;
}

/* What it does now is asked, not remembered: a debugger may have been quicker. */
void live_halt(struct live *live, const char *argument)
{
    enum gdbmi_state state = live->watch->state;

    (void)argument;
    if (!has_link(live))
        return;
    signals_hold(true);
    enum gdbmi_code code = gdbmi_link_state(live->watch->session.link, &state);
    signals_hold(false);
    if (code != GDBMI_OK)
        say_link(live);
    else if (state == GDBMI_STATE_HALTED)
        live_ask(live, resume, "continue the target?");
    else
        live_ask(live, halt, "halt the target? It stops controlling its hardware");
}
