/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places each call below its caller, and decides there whether it is shown. */
#include <trace/call_filter.h>

#include <stdlib.h>

#include <base/vec.h>

#include "chain.h"
#include "filtered.h"

/* What is known of a function besides its choices. */
#define ENTERED 0x10u
#define AGAIN   0x20u /* it was entered twice before it returned */
#define RETURNS 0x40u
#define ASKED   0x80u

/* Of an unlimited depth. */
#define ROOM_ALL UINT32_MAX

/* Where a call is made: its caller, as far as calls are shown. */
struct place {
    bool known, inside;
    uint32_t room;
};

static void forget_clocks(struct call_filter *f)
{
    for (unsigned core = 0; core < TRACE_CORES; core++)
        f->clocks[core] = (struct clock){.least = -1, .latest = INT64_MIN, .resumes = true};
}

struct call_filter *call_filter_new(const struct trace_limits *limits,
                                    const struct trace_points *points,
                                    const struct trace_about *about)
{
    struct call_filter *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->limits = *limits;
    f->points = points;
    f->about = about;
    forget_clocks(f);
    return f;
}

void call_filter_free(struct call_filter *filter)
{
    if (!filter)
        return;
    stacks_free(&filter->stacks);
    held_free(&filter->held);
    free(filter->early);
    free(filter->functions);
    free(filter);
}

struct call_filter_state call_filter_state(const struct call_filter *filter)
{
    return filter->state;
}

/* Whether it matters who called a function. */
static bool has_places(const struct call_filter *f)
{
    return f->limits.depth != 0 || f->limits.below;
}

/* Whether exits are needed. */
static bool has_limit(const struct call_filter *f)
{
    return has_places(f) || f->limits.min_s > 0;
}

/* Asks what the functions are that are new. Returns false if memory runs out. */
static bool take_functions(struct call_filter *f)
{
    size_t count = trace_functions_count(f->points);

    if (f->turn != trace_points_turn(f->points))
        f->count = 0;
    f->turn = trace_points_turn(f->points);
    if (f->count >= count)
        return true;
    if (!VEC_ROOM(f->functions, f->capacity, f->count, count - f->count))
        return false;
    while (f->count < count)
        f->functions[f->count++] = 0;
    return true;
}

static unsigned known_of(struct call_filter *f, uint32_t function)
{
    uint8_t *known = &f->functions[function];

    if (!(*known & ASKED)) {
        unsigned choices =
            f->limits.choose(f->limits.context, trace_function_at(f->points, function));
        *known |= (uint8_t)(choices | ASKED);
        f->state.has_top |= (choices & TRACE_TOP) != 0;
        f->state.has_stack |= (choices & TRACE_STACK) != 0;
    }
    return *known;
}

static bool is_top(struct call_filter *f, uint32_t function)
{
    return f->limits.below && function != TRACE_NO_FUNCTION &&
           (known_of(f, function) & TRACE_TOP) != 0;
}

static uint32_t all_room(const struct call_filter *f)
{
    return f->limits.depth != 0 ? f->limits.depth : ROOM_ALL;
}

static uint32_t room_below(uint32_t room)
{
    return room == ROOM_ALL || room == 0 ? room : room - 1;
}

static void pop_to(struct call_filter *f, struct stack *s, size_t count)
{
    while (s->count > count) {
        struct frame *frame = stack_pop(s);
        cost_cut(&f->cost, s, frame);
        filtered_abandon(f, frame, false);
    }
    s->old = s->old < count ? s->old : count;
}

/* Events were lost. What ran before may have ended. */
static void doubt(void *filter, struct stack *s)
{
    struct call_filter *f = filter;

    if (s->unsure) /* what is above came after an earlier loss */
        pop_to(f, s, s->old);
    for (size_t i = 0; i < s->count; i++)
        filtered_abandon(f, &s->frames[i], true);
    s->old = s->count;
    s->unsure = s->count != 0;
    s->guessed = s->unsure ? s->guessed : 0;
}

static void forget(void *filter, struct stack *s)
{
    pop_to(filter, s, 0);
    s->unsure = false;
    s->guessed = 0;
    s->interrupted = NULL;
}

/* All of a core's exceptions have ended. */
static void end_exceptions(struct call_filter *f, unsigned core)
{
    for (size_t i = 0; i < TRACE_EXCEPTIONS; i++)
        if (f->stacks.cores[core].exceptions[i] && f->stacks.cores[core].exceptions[i]->unsure)
            forget(f, f->stacks.cores[core].exceptions[i]);
}

static void forget_all(struct call_filter *f)
{
    for (unsigned core = 0; core < TRACE_CORES; core++)
        stacks_each(&f->stacks, core, forget, f);
}

/* Where functions are whose caller is not on the stack. */
static struct place outermost_place(struct call_filter *f, const struct stack *s, uint32_t caller)
{
    if (is_top(f, caller))
        return (struct place){.known = true, .inside = true, .room = room_below(all_room(f))};
    return (struct place){
        .known = !s->unsure || !has_places(f), .inside = !f->limits.below, .room = all_room(f)};
}

/* Where the stack went on after a loss is known from the caller, if it was there before. */
static void find_caller(struct call_filter *f, struct stack *s, uint32_t caller)
{
    size_t i = stack_may_have(s, caller) ? s->count : 0;

    while (i != 0 && s->frames[i - 1].function != caller)
        i--;
    if (caller == TRACE_NO_FUNCTION || (i == 0 && caller != s->outer))
        return;
    pop_to(f, s, i);
    s->unsure = false;
}

static struct chain_source source_of(const struct call_filter *f, const struct stack *s)
{
    return (struct chain_source){
        .stack = s, .points = f->points, .functions = f->functions, .returns = RETURNS};
}

static bool last_may_have_ended(struct call_filter *f, const struct stack *s)
{
    return s->count > s->old &&
           (known_of(f, s->frames[s->count - 1].function) & (AGAIN | RETURNS)) == AGAIN;
}

/* Functions without exits have ended if one that was entered before them calls another one. If the
 * caller is not known, its earlier calls of the function are given up, so that they do not pile up.
 * In the first call of a function it is not known whether it has any exits. */
static void end_without_exits(struct call_filter *f, struct stack *s, const struct trace_point *p)
{
    const struct chain_source source = source_of(f, s);

    if (!f->limits.chains && !last_may_have_ended(f, s))
        return;
    size_t kept = chain_latest(&source, s->count, p->caller_function);
    bool called = kept != 0;
    if (!called) {
        kept = chain_latest(&source, s->count, p->function);
        kept = kept != 0 ? kept - 1 : s->count;
    }
    while (s->count > kept && last_may_have_ended(f, s))
        pop_to(f, s, s->count - 1);
    for (size_t i = kept; called && i < s->count; i++)
        s->frames[i].passed = true;
}

static struct place place_of_caller(struct call_filter *f, struct stack *s, uint32_t caller)
{
    if (s->unsure && s->count == s->old)
        find_caller(f, s, caller);
    if (s->count == (s->unsure ? s->old : 0))
        return outermost_place(f, s, caller);
    const struct frame *last = &s->frames[s->count - 1];
    return (struct place){.known = last->known, .inside = last->inside, .room = last->room};
}

/* Where a function is that was called at a place. */
static struct place place_of(struct call_filter *f, struct place caller, uint32_t function)
{
    if (is_top(f, function))
        return (struct place){.known = true, .inside = true, .room = all_room(f)};
    return caller;
}

/* Whether an event is shown; counts it if that is not known. */
static bool passes(struct call_filter *f, struct stack *s, struct place place)
{
    bool near = place.room != 0;

    f->state.unplaced += !place.known && near;
    s->guessed += place.known && near && (f->limits.below ? !place.inside : has_places(f));
    return place.known && place.inside && near;
}

/* Shows the entry of the last frame, with its callers if they are wanted. */
static int show_entry(struct call_filter *f, const struct stack *s, const struct trace_event *e)
{
    struct frame *frame = &s->frames[s->count - 1];
    const struct chain_source source = source_of(f, s);
    bool chained = f->limits.chains && (known_of(f, frame->function) & TRACE_STACK);
    struct trace_chain *chain = chained ? chain_new(&source) : NULL;

    return chained && !chain ? TRACE_NO_MEMORY : filtered_enter(f, frame, e, chain);
}

/* Keeps what chains tell of the last frame. Returns false if memory runs out. */
static bool keep_entry(const struct call_filter *f, struct stack *s, const struct trace_event *e)
{
    if (!f->limits.chains)
        return true;
    if (!VEC_ROOM(s->entries, s->entry_capacity, s->count - 1, 1))
        return false;
    s->entries[s->count - 1] = *e;
    return true;
}

static int enter(struct call_filter *f, struct stack *s, const struct trace_point *p,
                 const struct trace_event *e)
{
    uint8_t *known = &f->functions[p->function];

    *known |= *known & ENTERED ? AGAIN : ENTERED;
    if (s->count == STACK_DEPTH_MAX)
        forget(f, s);
    end_without_exits(f, s, p);
    struct place place = place_of(f, place_of_caller(f, s, p->caller_function), p->function);
    if (s->count == 0)
        s->outer = p->caller_function;
    struct frame *frame = stack_push(s, p->function, p->caller, e->ticks);
    if (!frame || !keep_entry(f, s, e))
        return TRACE_NO_MEMORY;
    frame->jumped_to = e->jump;
    frame->known = place.known;
    frame->inside = place.inside;
    frame->near = place.room != 0;
    frame->room = room_below(place.room);
    frame->passes = passes(f, s, place);
    return frame->passes ? show_entry(f, s, e) : 0;
}

/* An exit whose entry was not seen: what is on the stack has ended, too. Its function has lasted as
 * long at least as all events were seen. */
static int leave_unseen(struct call_filter *f, struct stack *s, const struct trace_point *p,
                        const struct trace_event *e)
{
    pop_to(f, s, s->unsure ? s->old : 0);
    if (!s->unsure) {
        f->state.unplaced += s->guessed;
        s->guessed = 0;
    }
    struct place place = place_of(f, place_of_caller(f, s, p->caller_function), p->function);
    if (!passes(f, s, place))
        return 0;
    if (f->limits.min_s <= 0 ||
        e->ticks - filtered_clock(f, e->core)->since >= f->clocks[e->core].least)
        return filtered_show(f, e);
    f->state.unplaced++;
    return 0;
}

static int leave(struct call_filter *f, struct stack *s, const struct trace_point *p,
                 const struct trace_event *e)
{
    size_t count = stack_search(s, p->function, p->caller);

    f->functions[p->function] |= RETURNS;
    if (count == 0)
        return leave_unseen(f, s, p, e);
    s->unsure &= count > s->old;
    pop_to(f, s, count);
    struct frame frame = *stack_pop(s);
    cost_exit(&f->cost, s, &frame, e);
    s->old = s->old < s->count ? s->old : s->count;
    (void)passes(f, s, (struct place){frame.known, frame.inside, frame.near});
    if (s->count == 0 && s != &s->lane->stack)
        s->guessed = 0; /* an exception begins with its first function */
    return frame.passes ? filtered_leave(f, s, &frame, e) : 0;
}

static int take_call(struct call_filter *f, const struct trace_point *p,
                     const struct trace_event *e)
{
    struct stack *s = stacks_at(&f->stacks, p->exception, e);

    if (!s)
        return TRACE_NO_MEMORY;
    if (f->limits.min_s > 0 && f->clocks[e->core].least < 0)
        return TRACE_NO_RATE;
    if (p->exception == 0 && f->clocks[e->core].doubts) {
        f->clocks[e->core].doubts = false;
        end_exceptions(f, e->core);
    }
    return p->kind == TRACE_EXIT ? leave(f, s, p, e) : enter(f, s, p, e);
}

/* Durations across a gap, or of two clocks, are not known. */
static void begin_gap(struct call_filter *f, unsigned core, bool ends)
{
    stacks_each(&f->stacks, core, ends ? forget : doubt, f);
    f->clocks[core].doubts = !ends;
    filtered_clock(f, core)->resumes = true;
    if (ends && !filtered_one_clock(f, core))
        f->clocks[core].latest = INT64_MIN;
}

static void take_clock(struct call_filter *f, const struct trace_event *e)
{
    struct clock *clock = &f->clocks[e->core];
    double least = f->limits.min_s * e->hz;

    f->cost = e->cost;
    if (!stacks_take_clock(&f->stacks, e))
        begin_gap(f, e->core, false);
    clock->least = !e->timed || e->hz == 0 ? -1 : least < 1e18 ? (int64_t)least : INT64_MAX;
    clock->least += clock->least >= 0 && (double)clock->least < least;
}

/* An event that is none of a function. */
static int take_other(struct call_filter *f, const struct trace_event *e)
{
    switch (e->kind) {
    case TRACE_CALL:
        break;
    case TRACE_CLOCK:
        take_clock(f, e);
        break;
    case TRACE_RUN:
        stacks_begin(&f->stacks);
        break;
    case TRACE_DAMAGED:
    case TRACE_END:
        break; /* all has ended before */
    default:
        begin_gap(f, e->core, e->kind == TRACE_RESTART);
    }
    return filtered_show(f, e);
}

static void take_time(struct clock *clock, int64_t ticks)
{
    if (clock->resumes)
        clock->since = ticks;
    clock->resumes = false;
    clock->latest = ticks > clock->latest ? ticks : clock->latest;
}

static int take(struct call_filter *f, const struct trace_event *e)
{
    const struct trace_point *p =
        e->kind == TRACE_CALL ? trace_point_at(f->points, e->point) : NULL;

    if (p)
        take_time(filtered_clock(f, e->core), e->ticks);
    if (!p || p->kind == TRACE_MARK)
        return take_other(f, e);
    if (!take_functions(f))
        return TRACE_NO_MEMORY;
    if (!(known_of(f, p->function) & TRACE_CHOSEN))
        return 0;
    return has_limit(f) || f->limits.chains ? take_call(f, p, e) : filtered_show(f, e);
}

static int take_early(struct call_filter *f)
{
    int status = 0;

    for (size_t i = 0; status == 0 && i < f->early_count; i++)
        status = take(f, &f->early[i]);
    f->early_count = 0;
    return status;
}

/* Before the first exit it is not known whether there are any. */
static int wait_for_exit(struct call_filter *f, const struct trace_event *e)
{
    bool call = e->kind == TRACE_CALL;
    enum trace_point_kind kind = call ? trace_point_at(f->points, e->point)->kind : TRACE_MARK;

    f->state.entries += call && kind == TRACE_ENTRY;
    if (f->early_count == HELD_MAX && f->state.entries != 0)
        return TRACE_NO_EXITS;
    if (!VEC_ROOM(f->early, f->early_capacity, f->early_count, 1))
        return TRACE_NO_MEMORY;
    f->early[f->early_count++] = *e;
    f->returns = kind == TRACE_EXIT;
    if (f->returns)
        f->state.entries = 0;
    return f->returns || f->early_count > HELD_MAX ? take_early(f) : 0;
}

int call_filter_put(struct call_filter *filter, const struct trace_event *event)
{
    struct call_filter *f = filter;
    enum trace_kind kind = event->kind;

    if (kind == TRACE_RUN || kind == TRACE_END || kind == TRACE_DAMAGED) {
        int status = call_filter_end(f);
        return status == 0 ? take(f, event) : status;
    }
    return f->returns || !(has_limit(f) || f->limits.exits) ? take(f, event)
                                                            : wait_for_exit(f, event);
}

int call_filter_end(struct call_filter *filter)
{
    struct call_filter *f = filter;

    if (f->state.entries >= TRACE_ENTRIES_ENOUGH)
        return TRACE_NO_EXITS;
    f->state.entries = 0;
    int status = take_early(f);
    forget_all(f);
    if (status == 0)
        status = filtered_settle(f, true);
    forget_clocks(f);
    f->returns = false;
    return status;
}
