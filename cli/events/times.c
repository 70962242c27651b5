/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which events begin and end a time, and the graph of the longest one. */
#define _POSIX_C_SOURCE 200809L

#include "times.h"

#include <stdlib.h>
#include <string.h>

#include <base/say.h>
#include <events/limits.h>

static bool is_calls(const struct event_times *t)
{
    return t->options->worst.count != 0;
}

static bool hits(const struct event_times *t, size_t rule, const struct trace_point *p)
{
    const struct option_moment *m = &t->options->between.moments[rule];

    if (p->kind == TRACE_MARK || m->at == OPTION_MARK)
        return p->kind == TRACE_MARK && p->sleep == TRACE_NO_SLEEP && m->at == OPTION_MARK &&
               p->callee == m->mark;
    if ((p->kind == TRACE_EXIT) != (m->at == OPTION_EXIT))
        return false;
    const struct trace_function *f = trace_function_at(t->points, p->function);
    return view_ignore_rule_has(&t->options->between.functions.rules[rule], f->addr,
                                f->name[0] ? f->name : NULL, f->file[0] ? f->file : NULL);
}

static void choose_call(const struct event_times *t, const struct trace_point *p, bool *begins,
                        bool *ends)
{
    const struct trace_function *f =
        p->kind == TRACE_MARK ? NULL : trace_function_at(t->points, p->function);
    bool hit = f && view_ignore_hit(&t->options->worst, f->addr, f->name[0] ? f->name : NULL,
                                    f->file[0] ? f->file : NULL);

    *begins = hit && p->kind == TRACE_ENTRY;
    *ends = hit && p->kind == TRACE_EXIT;
}

static void choose(void *times, const struct trace_point *point, bool *begins, bool *ends)
{
    const struct event_times *t = times;

    if (is_calls(t)) {
        choose_call(t, point, begins, ends);
        return;
    }
    *begins = hits(t, 0, point);
    *ends = hits(t, 1, point);
}

bool event_times_need_exits(const struct options *options)
{
    const struct option_moment *m = options->between.moments;

    return options->worst.count != 0 || m[0].at == OPTION_EXIT || m[1].at == OPTION_EXIT;
}

static bool name_events(struct event_times *t)
{
    const char *typed = is_calls(t) ? t->options->worst_typed : t->options->between_typed;
    const char *comma = is_calls(t) ? NULL : strchr(typed, ',');

    t->from = strndup(typed, comma ? (size_t)(comma - typed) : strlen(typed));
    t->to = comma ? strdup(comma + 1) : NULL;
    return t->from && (t->to || !comma);
}

bool event_times_begin(struct event_times *times, const struct options *options,
                       const struct trace_points *points, const struct trace_about *about)
{
    struct event_times *t = times;
    const struct latency_rules rules = {.calls = options->worst.count != 0,
                                        .needs_exits = event_times_need_exits(options),
                                        .choose = choose,
                                        .context = t};

    *t = (struct event_times){.options = options, .points = points, .about = about};
    t->latency = latency_new(&rules, points, about);
    return name_events(t) && t->latency;
}

void event_times_free(struct event_times *times)
{
    latency_free(times->latency);
    free(times->from);
    free(times->to);
    *times = (struct event_times){.options = NULL};
}

/* Refuses a trace that has no such time. */
static int check(const struct event_times *t, const char *origin)
{
    const struct latency_state state = latency_state(t->latency);
    const char *option = event_times_option(t->options);

    if (state.durations->count != 0)
        return STATUS_DONE;
    if (state.begun == 0)
        complain("%s: no %s was seen in %s", option, t->from, origin);
    else if (!is_calls(t) && state.ended == 0)
        complain("%s: no %s was seen in %s", option, t->to, origin);
    else if (!state.timed)
        complain("%s needs times, and the events of %s have none", option, origin);
    else if (is_calls(t))
        complain("%s: no call of %s has both its entry and its exit in the trace", option, t->from);
    else
        complain("%s: no %s was followed by %s, with all events between them", option, t->from,
                 t->to);
    return STATUS_FAILED;
}

int event_times_end(struct event_times *times, const char *origin)
{
    int status =
        event_limits_refuse(event_times_option(times->options), latency_end(times->latency));

    return status == STATUS_DONE ? check(times, origin) : status;
}

bool longest_begin(struct longest *longest, const struct event_times *times, uint64_t most)
{
    struct longest *l = longest;

    *l = (struct longest){.most = most};
    l->file = open_memstream(&l->text, &l->len);
    if (l->file)
        l->graph = trace_graph_new(l->file, times->options->format, times->points, times->about);
    return l->graph;
}

bool longest_put(struct longest *longest, const struct event_times *times,
                 const struct trace_event *event, bool inside)
{
    struct longest *l = longest;

    if (event->kind == TRACE_CLOCK)
        return trace_graph_put(l->graph, event);
    if (!inside || !latency_has(times->latency, event))
        return true;
    l->more += l->most == 0;
    if (l->most == 0)
        return true;
    l->most--;
    return trace_graph_put(l->graph, event);
}

/* The text is there when the file is closed. */
static bool close_graph(struct longest *l)
{
    bool good = l->graph && trace_graph_flush(l->graph);

    trace_graph_free(l->graph);
    l->graph = NULL;
    good &= l->file && fclose(l->file) == 0;
    l->file = NULL;
    return good;
}

bool longest_end(struct longest *longest)
{
    return close_graph(longest);
}

void longest_free(struct longest *longest)
{
    (void)close_graph(longest);
    free(longest->text);
    longest->text = NULL;
}

struct view_latency event_times_view(const struct event_times *times, const char *file,
                                     const char *origin)
{
    return (struct view_latency){.file = file,
                                 .origin = origin,
                                 .elf = times->about->elf,
                                 .build = times->about->build,
                                 .from = times->from,
                                 .to = times->to,
                                 .state = latency_state(times->latency)};
}
