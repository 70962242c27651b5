/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that choose events of a trace. */
#include <events/limits.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/say.h>

struct event_limits {
    const struct options *options;
    struct call_filter *filter; /* owned; NULL: all is shown */
    bool picked;                /* --filter has chosen a function */
    int (*put)(void *context, const struct trace_event *event);
    void *context;
};

static bool hits(const struct view_ignore *rules, const struct trace_function *f)
{
    return view_ignore_hit(rules, f->addr, f->name[0] ? f->name : NULL,
                           f->file[0] ? f->file : NULL);
}

/* The stub chooses what is recorded, and of a file it was not asked. */
static unsigned choose(void *limits, const struct trace_function *f)
{
    struct event_limits *l = limits;
    const struct options *o = l->options;
    bool top = hits(&o->below, f), picked = hits(&o->traced, f);
    bool chosen = (o->traced.count == 0 || picked) && !hits(&o->not_traced, f);

    l->picked |= picked;
    return (chosen || top || o->operand_count == 0 ? TRACE_CHOSEN : 0u) | (top ? TRACE_TOP : 0u) |
           (hits(&o->stack, f) ? TRACE_STACK : 0u);
}

static int put(void *limits, const struct trace_event *event)
{
    const struct event_limits *l = limits;

    return l->put(l->context, event);
}

bool event_limits_need_exits(const struct options *options)
{
    const struct options *o = options;

    return o->depth != 0 || o->below.count != 0 || o->shortest_s > 0 || o->graph;
}

bool event_limits_need_callers(const struct options *options)
{
    return options->stack.count != 0 || event_limits_need_exits(options);
}

bool event_limits_wanted(const struct options *options)
{
    const struct options *o = options;
    bool file = o->operand_count != 0 && (o->traced.count != 0 || o->not_traced.count != 0);

    return file || event_limits_need_callers(o);
}

struct event_limits *
event_limits_new(const struct options *options, const struct trace_points *points,
                 const struct trace_about *about,
                 int (*put_event)(void *context, const struct trace_event *event), void *context)
{
    struct event_limits *l = calloc(1, sizeof(*l));

    if (!l)
        return NULL;
    const struct trace_limits limits = {.depth = (unsigned)options->depth,
                                        .min_s = options->shortest_s,
                                        .below = options->below.count != 0,
                                        .exits = options->graph,
                                        .chains = options->stack.count != 0,
                                        .choose = choose,
                                        .put = put,
                                        .context = l};
    *l = (struct event_limits){.options = options, .put = put_event, .context = context};
    if (!event_limits_wanted(options))
        return l;
    l->filter = call_filter_new(&limits, points, about);
    if (l->filter)
        return l;
    free(l);
    return NULL;
}

void event_limits_free(struct event_limits *limits)
{
    if (limits)
        call_filter_free(limits->filter);
    free(limits);
}

int event_limits_refuse(const char *option, int refusal)
{
    switch (refusal) {
    case TRACE_NO_MEMORY:
        return fail("out of memory");
    case TRACE_NO_EXITS:
        complain("%s needs exits of functions, and the trace has only entries, as -pg gives them: "
                 "build the firmware with -finstrument-functions, or with patched entries and "
                 "MPROF_TRACE_RETURNS",
                 option);
        return STATUS_FAILED;
    case TRACE_NO_RATE:
        complain("%s needs times in seconds, and the rate of the target's clock is not known: "
                 "build the stub with MPROF_TIME_HZ",
                 option);
        return STATUS_FAILED;
    default:
        return refusal;
    }
}

int event_limits_refuse_ring(const char *option, bool seconds, const char *ring)
{
    if (seconds)
        complain("%s needs times in seconds, and nothing tells the rate of the clock of %s", option,
                 ring);
    else
        complain("%s needs exits of functions, and the records of %s are entries only", option,
                 ring);
    return STATUS_FAILED;
}

/* The option for which exits are needed. */
static const char *needs_exits(const struct options *o)
{
    return o->depth != 0         ? "--depth"
           : o->below.count != 0 ? "--below"
           : o->graph            ? "--graph"
                                 : "--min";
}

int event_limits_check_ring(const struct options *options, const char *ring)
{
    const struct options *o = options;

    if (!event_limits_need_exits(o))
        return STATUS_DONE;
    return event_limits_refuse_ring(needs_exits(o), strcmp(needs_exits(o), "--min") == 0, ring);
}

static int status_of(const struct event_limits *l, int refusal)
{
    const struct options *o = l->options;

    return event_limits_refuse(refusal == TRACE_NO_RATE ? "--min" : needs_exits(o), refusal);
}

int event_limits_put(struct event_limits *limits, const struct trace_event *event)
{
    return limits->filter ? status_of(limits, call_filter_put(limits->filter, event))
                          : limits->put(limits->context, event);
}

int event_limits_end(struct event_limits *limits)
{
    return limits->filter ? status_of(limits, call_filter_end(limits->filter)) : STATUS_DONE;
}

int event_limits_check(const struct event_limits *limits)
{
    bool none = limits->filter && call_filter_state(limits->filter).entries >= TRACE_ENTRIES_ENOUGH;

    return status_of(limits, none ? TRACE_NO_EXITS : 0);
}

void event_limits_say(const struct event_limits *limits)
{
    if (!limits->filter)
        return;
    const struct call_filter_state s = call_filter_state(limits->filter);
    if (s.unplaced != 0)
        complain("%" PRIu64 " events could not be placed: the trace began, or events were lost, "
                 "after their callers were entered",
                 s.unplaced);
    if (limits->options->operand_count != 0 && limits->options->traced.count != 0 &&
        !limits->picked)
        complain("--filter: no call of such a function was seen");
    if (limits->options->below.count != 0 && !s.has_top)
        complain("--below: no call of such a function was seen");
    if (limits->options->stack.count != 0 && !s.has_stack)
        complain("--stack: no call of such a function was seen");
}

int event_results_check(bool has_results)
{
    if (has_results)
        return STATUS_DONE;
    complain("--results: the trace has no results of functions: build the stub with "
             "MPROF_TRACE_RESULTS and MPROF_TRACE_RETURNS");
    return STATUS_FAILED;
}
