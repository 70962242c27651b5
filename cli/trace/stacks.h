/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that have not returned: a stack for each task of a core, or of all cores if their
 * clocks are one, and for each exception of each core. */
#ifndef TRACE_STACKS_H
#define TRACE_STACKS_H

#include <base/vec.h>
#include <trace/event.h>

/* Calls on one stack; tasks of a core. Further tasks share the stack of the last one. */
#define STACK_DEPTH_MAX 65536
#define STACK_TASKS_MAX 256

/* A call. Functions are numbered by the caller of these functions. */
struct frame {
    uint32_t function;
    bool outermost; /* the function was not active in the lane before */
    bool passes;    /* of a filter: the call is shown */
    bool inside;    /* it may be shown, as far as its caller decides that */
    bool known;     /* its callers are known as far as they decide that */
    bool near;      /* it is not too deep */
    bool passed;    /* a call before it has made another one, so it has ended if it has no exits */
    bool jumped_to; /* it began by a jump */
    bool jumps;     /* it ended by a jump: of one that was taken off its stack */
    uint32_t room;  /* levels below it that are not too deep */
    uint64_t caller;
    int64_t begin;
    uint32_t sleeps; /* of spans: times that its core had slept before */
    double hooks;    /* ticks of the hooks of calls that were made meanwhile */
    double below;    /* of a report: ticks in functions that it called and that interrupted it */
    uint64_t held;   /* of a filter: number of its entry among those that were held back, plus 1; 0:
                        it was not */
};

/* The calls of a task or an exception, the last one at the end. */
struct stack {
    struct frame *frames; /* owned */
    size_t count, capacity;
    struct trace_event *entries; /* owned; of a filter that shows chains: of each frame */
    size_t entry_capacity;
    struct stack *interrupted; /* the one that the core left for this one, while it has frames */
    struct lane *lane;         /* while it has frames */
    struct track *track;       /* of spans: that of its calls, once it has had an event */

    /* Of a filter, from a loss of events on. */
    size_t old;       /* frames that were entered before; after some of them the stack went on */
    bool unsure;      /* it is not known after which */
    uint32_t outer;   /* function that called the first frame's, or TRACE_NO_FUNCTION */
    uint64_t guessed; /* events whose place depends on what is below the first frame */
};

/* A task, or all of a core that is no exception if there are no tasks; and exceptions meanwhile. */
struct lane {
    uint64_t task;
    uint32_t *active; /* owned; frames of each function */
    size_t capacity;
    struct stack stack;
};

/* Those of a core, or of all. */
struct lanes {
    struct lane **all; /* owned */
    size_t count, capacity;
};

/* All stacks. Zeroed memory has none. */
struct stacks {
    struct lanes shared; /* of tasks that may move from core to core */
    struct stacks_core {
        struct stack *exceptions[TRACE_EXCEPTIONS]; /* owned; NULL: no event yet */
        struct lanes own;
        struct lane *lane;     /* of the last event of a task */
        struct stack *current; /* of the last event */
        bool shares;  /* its clock is that of the other cores, so their tasks can move here */
        bool clocked; /* its clock was told, in this recording */
    } cores[TRACE_CORES];
};

void stacks_free(struct stacks *stacks);

/* A recording begins: no clock was told. */
void stacks_begin(struct stacks *stacks);

/* Takes the clock of a core. Returns whether calls of before may go on: the core has had no other
 * clock, and it is that of the other cores. */
bool stacks_take_clock(struct stacks *stacks, const struct trace_event *clock);

/* Returns the stack of a core's exception, or of the event's task if that is 0, which then is the
 * core's current one. An empty one interrupts the one that was current. Returns NULL if memory runs
 * out. */
struct stack *stacks_find(struct stacks *stacks, unsigned exception,
                          const struct trace_event *event);

static inline struct stack *stacks_at(struct stacks *stacks, unsigned exception,
                                      const struct trace_event *event)
{
    const struct stacks_core *c = &stacks->cores[event->core];

    if (exception == 0 && c->lane && c->lane->task == event->task && c->current == &c->lane->stack)
        return c->current;
    return stacks_find(stacks, exception, event);
}

/* Makes room for another frame, and for the function in the lane's numbers. Returns false if memory
 * runs out. */
bool stack_grow(struct stack *stack, uint32_t function);

/* Adds a call to a stack with less than STACK_DEPTH_MAX frames. Returns its frame, all of whose
 * other members are 0, or NULL if memory runs out. It is valid until the next one is added. */
static inline struct frame *stack_push(struct stack *stack, uint32_t function, uint64_t caller,
                                       int64_t begin)
{
    struct stack *s = stack;

    if ((s->count == s->capacity || function >= s->lane->capacity) && !stack_grow(s, function))
        return NULL;
    struct frame *frame = &s->frames[s->count++];
    *frame = (struct frame){.function = function,
                            .outermost = s->lane->active[function]++ == 0,
                            .caller = caller,
                            .begin = begin};
    return frame;
}

/* Takes the last frame off, which stays where it is until the next one is added. */
static inline struct frame *stack_pop(struct stack *stack)
{
    struct frame *frame = &stack->frames[--stack->count];

    stack->lane->active[frame->function]--;
    return frame;
}

static inline bool frame_is(const struct frame *frame, uint32_t function, uint64_t caller)
{
    return frame->function == function && frame->caller == caller;
}

/* Whether a function is on the stack, or on another one of its lane. */
static inline bool stack_may_have(const struct stack *stack, uint32_t function)
{
    return stack->count != 0 && function < stack->lane->capacity &&
           stack->lane->active[function] != 0;
}

/* Returns the number of frames up to the last call of a function from a caller, 0: there is none.
 */
size_t stack_search(const struct stack *stack, uint32_t function, uint64_t caller);

/* Calls a function for each stack of a core, and those of tasks that may have moved there. */
void stacks_each(struct stacks *stacks, unsigned core, void (*use)(void *context, struct stack *s),
                 void *context);

#endif
