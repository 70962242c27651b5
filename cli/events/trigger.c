/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and stops at the entries and exits of functions. */
#include <events/trigger.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/say.h>
#include <events/limits.h>
#include <control/trace_filter.h>
#include <trace/call_trigger.h>

/* --start-at or --stop-at. */
struct side {
    const struct option_trigger *rules;
    struct addr_ranges ranges[VIEW_IGNORE_MAX]; /* of each rule, in a target */
};

struct trace_trigger {
    struct call_trigger *calls; /* owned; NULL: all is wanted */
    const struct trace_points *points;
    struct side start, stop;
    const struct symtab *symtab; /* where the functions were looked up, and its build; NULL: none */
    char build[128];
};

bool trace_trigger_is_given(const struct options *options)
{
    return options->start_at.functions.count + options->stop_at.functions.count != 0;
}

static bool needs(const struct option_trigger *rules, bool seconds)
{
    for (size_t i = 0; i < rules->functions.count; i++) {
        if (rules->moments[i].at == OPTION_LONGER ||
            (!seconds && rules->moments[i].at == OPTION_EXIT))
            return true;
    }
    return false;
}

int trace_trigger_check_ring(const struct options *options, const char *ring)
{
    const struct option_trigger *start = &options->start_at, *stop = &options->stop_at;

    if (needs(start, false))
        return event_limits_refuse_ring("--start-at", needs(start, true), ring);
    return needs(stop, false) ? event_limits_refuse_ring("--stop-at", needs(stop, true), ring)
                              : STATUS_DONE;
}

static bool hits(const struct trace_trigger *t, const struct side *side, size_t rule,
                 const struct trace_point *p)
{
    const struct trace_function *f = trace_function_at(t->points, p->function);

    return t->symtab
               ? addr_ranges_have(&side->ranges[rule], p->callee)
               : view_ignore_rule_has(&side->rules->functions.rules[rule], f->addr,
                                      f->name[0] ? f->name : NULL, f->file[0] ? f->file : NULL);
}

static void choose_side(const struct trace_trigger *t, const struct side *side,
                        const struct trace_point *p, struct trace_moments *moments)
{
    for (size_t i = 0; i < side->rules->functions.count; i++) {
        const struct option_moment *m = &side->rules->moments[i];
        if (!hits(t, side, i, p))
            continue;
        moments->entry |= m->at == OPTION_ENTRY;
        moments->exit |= m->at == OPTION_EXIT;
        if (m->at == OPTION_LONGER && (!moments->longer || m->longer_s < moments->longer_s))
            moments->longer_s = m->longer_s;
        moments->longer |= m->at == OPTION_LONGER;
    }
}

static void choose(void *trigger, const struct trace_point *point, struct trace_moments *start,
                   struct trace_moments *stop)
{
    const struct trace_trigger *t = trigger;

    choose_side(t, &t->start, point, start);
    choose_side(t, &t->stop, point, stop);
}

struct trace_trigger *trace_trigger_new(const struct options *options,
                                        const struct trace_points *points)
{
    const struct options *o = options;
    struct trace_trigger *t = calloc(1, sizeof(*t));

    if (!t)
        return NULL;
    const struct call_trigger_rules rules = {
        .starts = o->start_at.functions.count != 0,
        .needs_exits = needs(&o->start_at, false) || needs(&o->stop_at, false),
        .needs_seconds = needs(&o->start_at, true) || needs(&o->stop_at, true),
        .choose = choose,
        .context = t,
    };
    t->points = points;
    t->start.rules = &o->start_at;
    t->stop.rules = &o->stop_at;
    if (!trace_trigger_is_given(o))
        return t;
    t->calls = call_trigger_new(&rules, points);
    if (t->calls)
        return t;
    free(t);
    return NULL;
}

static void free_ranges(struct trace_trigger *t)
{
    for (size_t i = 0; i < VIEW_IGNORE_MAX; i++) {
        addr_ranges_free(&t->start.ranges[i]);
        addr_ranges_free(&t->stop.ranges[i]);
    }
}

void trace_trigger_free(struct trace_trigger *trigger)
{
    if (!trigger)
        return;
    free_ranges(trigger);
    call_trigger_free(trigger->calls);
    free(trigger);
}

static int look_up(struct side *side, const struct session *session)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < side->rules->functions.count; i++) {
        const struct view_ignore one = {.rules[0] = side->rules->functions.rules[i], .count = 1};
        status = trace_filter_add_rules(session, &one, &side->ranges[i]);
    }
    return status;
}

int trace_trigger_follow(struct trace_trigger *trigger, const struct watch *watch)
{
    struct trace_trigger *t = trigger;
    const struct session *s = &watch->session;

    if (!t->calls || !watch->fresh)
        return STATUS_DONE;
    const char *build = symtab_build(s->elf.symtab);
    if (t->symtab == s->elf.symtab && strcmp(t->build, build) == 0)
        return STATUS_DONE;
    t->symtab = s->elf.symtab;
    snprintf(t->build, sizeof(t->build), "%s", build);
    free_ranges(t);
    int status = look_up(&t->start, s);
    return status == STATUS_DONE ? look_up(&t->stop, s) : status;
}

static int status_of(const struct trace_trigger *t, int refusal)
{
    bool start = needs(t->start.rules, refusal == TRACE_NO_RATE);

    return event_limits_refuse(start ? "--start-at" : "--stop-at", refusal);
}

int trace_trigger_put(struct trace_trigger *trigger, const struct trace_event *event, bool *wanted)
{
    *wanted = true;
    return trigger->calls ? status_of(trigger, call_trigger_put(trigger->calls, event, wanted))
                          : STATUS_DONE;
}

bool trace_trigger_ended(const struct trace_trigger *trigger)
{
    return trigger->calls && trigger->start.rules->functions.count == 0 &&
           call_trigger_state(trigger->calls).stopped;
}

int trace_trigger_check(const struct trace_trigger *trigger)
{
    bool none =
        trigger->calls && call_trigger_state(trigger->calls).entries >= TRACE_ENTRIES_ENOUGH;

    return status_of(trigger, none ? TRACE_NO_EXITS : 0);
}

void trace_trigger_say(const struct trace_trigger *trigger)
{
    if (!trigger->calls)
        return;
    const struct call_trigger_state s = call_trigger_state(trigger->calls);
    if (trigger->start.rules->functions.count != 0 && !s.started)
        complain("--start-at: no such event was seen");
    if (trigger->stop.rules->functions.count != 0 && !s.ended)
        complain("--stop-at: no such event was seen");
    if (s.untimed != 0)
        complain("how long %" PRIu64 " calls took that --start-at or --stop-at ask for is not "
                 "known: their entry was not seen, or events were lost since then",
                 s.untimed);
}
