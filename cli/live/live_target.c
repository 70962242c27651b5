/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done to the target, by those who asked for it. */
#include <inttypes.h>
#include <string.h>

#include <base/say.h>
#include <base/signals.h>
#include <symbol/symtab.h>
#include <target/link_words.h>
#include <control/stub_control.h>

#include "live_private.h"

/* A control action by its words, as mprof control takes them. */
static int run_words(struct watch *target, const char *first, const char *second)
{
    char one[LIVE_TEXT], two[LIVE_TEXT];
    char *words[] = {one, second ? two : NULL, NULL};

    snprintf(one, sizeof(one), "%s", first);
    snprintf(two, sizeof(two), "%s", second ? second : "");
    return control_words(&target->session, words);
}

static int run_reset(struct live_request *r, struct watch *target)
{
    (void)r;
    return run_words(target, "reset", NULL);
}

static void say_reset(struct live *l, struct live_request *r)
{
    (void)r;
    live_say(l, false, "all counters in the target were cleared");
}

static void reset(struct live *l)
{
    const struct live_request request = {.run = run_reset, .done = say_reset, .polls = true};

    live_request(l, &request);
}

void live_reset(struct live *live, const char *argument)
{
    (void)argument;
    if (live_is_connected(live))
        live_ask(live, reset, "clear all counters in the target?");
}

static int run_unignore(struct live_request *r, struct watch *target)
{
    (void)r;
    return run_words(target, "ignore", "none");
}

static void say_unignored(struct live *l, struct live_request *r)
{
    (void)r;
    live_say(l, false, "all ignores removed on the target");
}

void live_unignore(struct live *live, const char *argument)
{
    const struct live_request request = {.run = run_unignore, .done = say_unignored, .polls = true};

    (void)argument;
    live_request(live, &request);
}

static int run_ignore(struct live_request *r, struct watch *target)
{
    return control_ignore_also(&target->session, r->start, r->end);
}

static void say_ignored(struct live *l, struct live_request *r)
{
    live_say(l, false, "%s is now ignored on the target; X removes all ignores", r->name);
}

/* The selected row's; NULL: said that it is none. what: what is done with functions only. */
static const struct symtab_function *selected_function(struct live *l, const char *what)
{
    const struct view_row *row = live_selected(l);
    const struct symtab *names = l->model.known;
    bool placed = l->options->by != VIEW_BY_FILE && l->options->by != VIEW_BY_CONTEXT;
    const struct symtab_function *f = placed && row && names ? symtab_find(names, row->addr) : NULL;

    if (!f)
        live_say(l, true, "this row is not a function: only functions can be %s", what);
    return f;
}

void live_ignore(struct live *live, const char *argument)
{
    struct live_request request = {.run = run_ignore, .done = say_ignored, .polls = true};

    (void)argument;
    if (!live_is_connected(live))
        return;
    const struct symtab_function *f = selected_function(live, "ignored");
    if (!f)
        return;
    request.start = f->addr;
    request.end = f->addr + (f->size ? f->size : 2);
    snprintf(request.name, sizeof(request.name), "%s", f->name);
    live_request(live, &request);
}

/* Whether a name, as it is given to --filter, means one function, and no pattern or file. */
static bool is_name_of_one(const struct symtab *symtab, const char *name)
{
    struct view_ignore names = {.count = 0};
    char text[LIVE_TEXT];
    size_t found = 0;

    if (name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] ||
        !view_ignore_parse(name, &names, text, sizeof(text)))
        return false;
    for (size_t i = 0; i < symtab_part_count(symtab); i++) {
        size_t count;
        const struct symtab_function *all = symtab_functions(symtab_part(symtab, i), &count);
        for (size_t f = 0; f < count; f++)
            found += view_ignore_rule_hit(&names.rules[0], all[f].name, NULL);
    }
    return found == 1;
}

/* Its calls go to the terminal until Ctrl-C. */
void live_trace(struct live *live, const char *argument)
{
    char line[LIVE_TEXT];

    (void)argument;
    if (!live_is_connected(live))
        return;
    const struct symtab_function *f = selected_function(live, "traced");
    if (!f)
        return;
    if (is_name_of_one(live->model.known, f->name))
        snprintf(line, sizeof(line), "trace --filter %s", f->name);
    else
        snprintf(line, sizeof(line), "trace --filter 0x%" PRIx64 "+0x%" PRIx64, f->addr,
                 f->size ? f->size : 2);
    live_run_line(live, line);
}

static bool is_on(const struct live *l, size_t item)
{
    return strstr(l->over.menu.items[item], " on") != NULL;
}

static void name_source(const struct live *l, size_t item, char word[LIVE_SOURCE])
{
    const char *text = l->over.menu.items[item];

    snprintf(word, LIVE_SOURCE, "%.*s", (int)strcspn(text, " "), text);
}

static int run_switch(struct live_request *r, struct watch *target)
{
    return run_words(target, r->on ? "on" : "off", r->name);
}

static void say_switched(struct live *l, struct live_request *r)
{
    live_say(l, false, "%s is %s", r->name, r->on ? "on" : "off");
}

static void switch_source(struct live *l)
{
    struct live_request request = {.run = run_switch, .done = say_switched, .polls = true};

    request.on = !is_on(l, l->over.menu.selected);
    name_source(l, l->over.menu.selected, request.name);
    live_request(l, &request);
}

static void choose_source(struct live *l, size_t item)
{
    char word[LIVE_SOURCE];

    name_source(l, item, word);
    if (is_on(l, item))
        live_ask(l, switch_source, "switch %s off? This source counts nothing while it is off",
                 word);
    else
        live_ask(l, switch_source, "switch %s on?", word);
}

static int run_sources(struct live_request *r, struct watch *target)
{
    return control_states(&target->session, r->states, &r->state_count);
}

static void show_sources(struct live *l, struct live_request *r)
{
    struct live_menu *m = &l->over.menu;

    m->count = m->selected = 0;
    for (size_t i = 0; i < r->state_count; i++)
        snprintf(m->items[m->count++], sizeof(m->items[0]), "%-10s %s", r->states[i].word,
                 r->states[i].on ? "on" : "off");
    m->title = "SOURCES: Enter switches one on or off (asks first)";
    if (r->state_count)
        m->chosen = choose_source;
    else
        live_say(l, true, "this firmware's stub has no sources to switch");
}

void live_sources(struct live *live, const char *argument)
{
    const struct live_request request = {.run = run_sources, .done = show_sources};

    (void)argument;
    live_request(live, &request);
}

/* A status; says why the link failed. */
static int status_of(const struct watch *target, enum gdbmi_code code)
{
    char text[LINK_WORDS];

    return code == GDBMI_OK ? STATUS_DONE
                            : fail(link_words(gdbmi_link_error(target->session.link), text));
}

static int run_halt(struct live_request *r, struct watch *target)
{
    *r->halted = session_stats(&target->session);
    enum gdbmi_code code = gdbmi_link_halt(target->session.link);
    if (code == GDBMI_OK)
        gdbmi_link_keep_halted(target->session.link);
    return status_of(target, code);
}

static void say_halted(struct live *l, struct live_request *r)
{
    (void)r;
    live_say(l, false, "the target is halted; S or quitting continues it");
}

static void halt(struct live *l)
{
    const struct live_request request = {
        .run = run_halt, .done = say_halted, .polls = true, .halted = &l->link.halted};

    live_request(l, &request);
}

/* What a person asks for is not charged to --allow-halt. */
static void forgive_halt(struct gdbmi_stats *halted, struct watch *target)
{
    struct gdbmi_stats now = session_stats(&target->session);

    if (halted->age_ns == 0 || now.halts <= halted->halts)
        return;
    target->asked_ns += now.halted_ns - halted->halted_ns;
    target->asked_halts += now.halts - halted->halts;
    *halted = (struct gdbmi_stats){.halts = 0};
}

static int run_resume(struct live_request *r, struct watch *target)
{
    enum gdbmi_code code = gdbmi_link_resume(target->session.link);

    forgive_halt(r->halted, target);
    return status_of(target, code);
}

static void say_resumed(struct live *l, struct live_request *r)
{
    (void)r;
    live_say(l, false, "the target is running");
}

static void resume(struct live *l)
{
    const struct live_request request = {
        .run = run_resume, .done = say_resumed, .polls = true, .halted = &l->link.halted};

    live_request(l, &request);
}

static int run_state(struct live_request *r, struct watch *target)
{
    return status_of(target, gdbmi_link_state(target->session.link, &r->state));
}

static void ask_state(struct live *l, struct live_request *r)
{
    if (r->state == GDBMI_STATE_HALTED)
        live_ask(l, resume, "continue the target?");
    else
        live_ask(l, halt, "halt the target? It stops controlling its hardware");
}

/* What it does now is asked, not remembered: a debugger may have been quicker. */
void live_halt(struct live *live, const char *argument)
{
    const struct live_request request = {
        .run = run_state, .done = ask_state, .state = live->shown.state};

    (void)argument;
    live_request(live, &request);
}
