/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs events, or takes the calls of a walk. */
#include <trace/latency.h>

#include <stdlib.h>

#include <base/vec.h>
#include <trace/call_filter.h>
#include <trace/spans.h>

/* What was chosen for a point. */
struct choice {
    bool asked, begins, ends;
};

/* A time that has begun. */
struct begun {
    bool is;
    uint64_t number; /* of the event */
    unsigned core;
    int64_t ticks;
};

/* The calls of a track that have not ended: the numbers of their entries. */
struct lane {
    uint64_t *numbers; /* owned */
    size_t count, capacity;
};

struct clock {
    bool known, timed;
    uint32_t hz;
};

struct latency {
    struct latency_rules rules;
    const struct trace_points *points;
    const struct trace_about *about;
    bool threads;           /* of the recording */
    struct choice *choices; /* owned; of each point */
    size_t count, capacity;
    unsigned turn; /* of the points */
    struct clock clocks[TRACE_CORES];
    bool has_clock;
    struct begun begun[TRACE_CORES]; /* of each core; of threads only the first */
    struct spans *spans;             /* owned; of calls */
    struct lane *lanes;              /* owned; of each track */
    size_t lane_count, lane_capacity;
    uint64_t number; /* of the event that is put */
    bool returns;    /* an exit has come */
    uint64_t entries;
    struct durations durations;
    struct latency_state state;
};

/* Returns NULL if memory runs out. */
static const struct choice *choice_of(struct latency *l, uint32_t point)
{
    size_t count = trace_points_count(l->points);

    if (l->turn != trace_points_turn(l->points))
        l->count = 0;
    l->turn = trace_points_turn(l->points);
    if (point >= l->count) {
        if (!VEC_ROOM(l->choices, l->capacity, l->count, count - l->count))
            return NULL;
        while (l->count < count)
            l->choices[l->count++] = (struct choice){.asked = false};
    }
    struct choice *c = &l->choices[point];
    if (!c->asked)
        l->rules.choose(l->rules.context, trace_point_at(l->points, point), &c->begins, &c->ends);
    c->asked = true;
    return c;
}

/* Adds a time of the unit of the first clock. */
static bool add_time(struct latency *l, const struct begun *from, int64_t ticks)
{
    const struct clock *clock = &l->clocks[from->core];
    bool longest = l->durations.count == 0 || ticks > l->durations.max;

    if (!clock->timed)
        return true;
    if (clock->hz != l->state.hz) {
        l->state.unrated++;
        return true;
    }
    if (longest)
        l->state.worst = (struct latency_worst){.first = from->number,
                                                .last = l->number,
                                                .core = from->core,
                                                .begin = from->ticks,
                                                .ticks = ticks};
    return durations_add(&l->durations, ticks);
}

static bool end_pair(struct latency *l, struct begun *begun, const struct trace_event *e)
{
    int64_t ticks = e->ticks - begun->ticks;

    begun->is = false;
    if (ticks >= 0)
        return add_time(l, begun, ticks);
    l->state.lost++;
    return true;
}

static bool take_pair(struct latency *l, const struct trace_event *e)
{
    const struct choice *c = choice_of(l, e->point);
    struct begun *begun = &l->begun[l->threads ? 0 : e->core];
    bool good = true;

    if (!c)
        return false;
    l->state.begun += c->begins;
    l->state.ended += c->ends;
    if (c->ends && begun->is)
        good = end_pair(l, begun, e);
    else if (c->ends && !c->begins)
        l->state.unbegun++;
    if (c->begins && begun->is)
        l->state.unended++;
    else if (c->begins)
        *begun =
            (struct begun){.is = true, .number = l->number, .core = e->core, .ticks = e->ticks};
    return good;
}

/* Gives up what has begun on a core, or on all. */
static void drop(struct latency *l, unsigned core, bool all, uint64_t *count)
{
    all |= l->threads;
    for (unsigned i = 0; i < TRACE_CORES; i++) {
        if (!all && i != core)
            continue;
        *count += l->begun[i].is;
        l->begun[i].is = false;
    }
}

static void take_clock(struct latency *l, const struct trace_event *e)
{
    struct clock *clock = &l->clocks[e->core];

    if (clock->known && (clock->timed != e->timed || clock->hz != e->hz))
        drop(l, e->core, false, &l->state.lost);
    *clock = (struct clock){.known = true, .timed = e->timed, .hz = e->hz};
    if (e->timed && !l->has_clock) {
        l->has_clock = l->state.timed = true;
        l->state.hz = e->hz;
    }
}

static void take_other(struct latency *l, const struct trace_event *e)
{
    switch (e->kind) {
    case TRACE_CLOCK:
        take_clock(l, e);
        break;
    case TRACE_RUN:
        for (unsigned i = 0; i < TRACE_CORES; i++)
            l->clocks[i].known = l->clocks[i].timed = false;
        drop(l, 0, true, &l->state.unended);
        break;
    case TRACE_END:
        drop(l, 0, true, &l->state.unended);
        break;
    case TRACE_DAMAGED:
        drop(l, 0, true, &l->state.lost);
        break;
    default:
        drop(l, e->core, false, &l->state.lost);
    }
}

/* The number of an entry goes where its call is. */
static bool enter(void *latency, const struct span *span)
{
    struct latency *l = latency;
    const struct choice *c = choice_of(l, span->event->point);

    if (!c)
        return false;
    l->state.begun += c->begins;
    if (span->track->index >= l->lane_count) {
        size_t more = span->track->index + 1 - l->lane_count;
        if (!VEC_ROOM(l->lanes, l->lane_capacity, l->lane_count, more))
            return false;
        while (l->lane_count <= span->track->index)
            l->lanes[l->lane_count++] = (struct lane){.numbers = NULL};
    }
    struct lane *lane = &l->lanes[span->track->index];
    lane->count = span->depth;
    if (!VEC_ROOM(lane->numbers, lane->capacity, lane->count, 1))
        return false;
    lane->numbers[lane->count++] = c->begins ? l->number : UINT64_MAX;
    return true;
}

static bool leave(void *latency, const struct span *span)
{
    struct latency *l = latency;
    uint64_t number = l->lanes[span->track->index].numbers[span->depth];

    if (number == UINT64_MAX)
        return true;
    if (span->end != SPAN_RETURNED || (!span->timed && l->clocks[span->track->core].timed)) {
        uint64_t *count = span->end == SPAN_LOST || span->end == SPAN_RETURNED ? &l->state.lost
                                                                               : &l->state.unended;
        ++*count;
        return true;
    }
    const struct begun from = {
        .number = number, .core = span->track->core, .ticks = span->event->ticks - span->duration};
    return add_time(l, &from, span->duration);
}

static bool count_stray(void *latency, const struct trace_event *event)
{
    struct latency *l = latency;
    const struct choice *c = choice_of(l, event->point);

    l->state.unbegun += c && c->ends;
    return c != NULL;
}

struct latency *latency_new(const struct latency_rules *rules, const struct trace_points *points,
                            const struct trace_about *about)
{
    static const struct spans_ops ops = {.enter = enter, .leave = leave, .stray = count_stray};
    struct latency *l = calloc(1, sizeof(*l));

    if (!l)
        return NULL;
    l->rules = *rules;
    l->points = points;
    l->about = about;
    l->turn = trace_points_turn(points);
    l->spans = rules->calls ? spans_new(&ops, NULL, l) : NULL;
    if (l->spans || !rules->calls)
        return l;
    free(l);
    return NULL;
}

void latency_free(struct latency *latency)
{
    if (!latency)
        return;
    for (size_t i = 0; i < latency->lane_count; i++)
        free(latency->lanes[i].numbers);
    free(latency->lanes);
    free(latency->choices);
    durations_free(&latency->durations);
    spans_free(latency->spans);
    free(latency);
}

bool latency_put(struct latency *latency, const struct trace_event *event)
{
    struct latency *l = latency;
    bool good = true;

    l->threads = l->about->threads;
    if (event->kind == TRACE_CALL) {
        enum trace_point_kind kind = trace_point_at(l->points, event->point)->kind;
        l->returns |= kind == TRACE_EXIT;
        l->entries += kind == TRACE_ENTRY;
    }
    if (l->spans)
        good = spans_put(l->spans, l->points, event);
    if (event->kind != TRACE_CALL)
        take_other(l, event);
    else if (!l->spans)
        good = take_pair(l, event);
    l->number++;
    return good;
}

int latency_end(struct latency *latency)
{
    struct latency *l = latency;

    drop(l, 0, true, &l->state.unended);
    if (l->spans && !spans_end(l->spans))
        return TRACE_NO_MEMORY;
    return l->rules.needs_exits && !l->returns && l->entries != 0 ? TRACE_NO_EXITS : 0;
}

int latency_check(const struct latency *latency)
{
    const struct latency *l = latency;

    return l->rules.needs_exits && !l->returns && l->entries >= TRACE_ENTRIES_ENOUGH
               ? TRACE_NO_EXITS
               : 0;
}

struct latency_state latency_state(struct latency *latency)
{
    struct latency_state state = latency->state;

    state.durations = &latency->durations;
    return state;
}

bool latency_has(const struct latency *latency, const struct trace_event *event)
{
    return event->kind == TRACE_DAMAGED || event->core == latency->state.worst.core ||
           (latency->threads && !latency->spans);
}
