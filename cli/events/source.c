/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the points of a trace when they first come. */
#include <events/source.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/signals.h>
#include <hooks/outside.h>
#include <symbol/naming.h>
#include <symbol/vectors.h>
#include <trace/arguments.h>

#include "strings.h"
#include "values.h"

_Static_assert(DECODE_MAX_CORES == TRACE_CORES, "each core has a clock");
_Static_assert(DECODE_ARGUMENTS == TRACE_ARGUMENTS, "all arguments are taken over");
_Static_assert(VECTORS_MAX == TRACE_EXCEPTIONS, "each exception can have a name");
_Static_assert((int)SAMPLER_EVENT_BEGIN == TRACE_RESTART, "the kinds have the same order");
_Static_assert((int)DECODE_AWAKE == TRACE_AWAKE, "the marks of sleep have the same order");

#define LABEL_MAX 200

struct event_source {
    const struct watch *watch;
    struct trace_points *points; /* owned */
    struct trace_about about;    /* its strings are build and elf */
    char build[128], elf[256];
    bool reads_strings, reads_results; /* what arguments and results point to */
    struct values values;              /* symtab: the names' ELF file */
    uint64_t task;                     /* whose name was asked for last */
    bool has_task;
    int probe; /* what the function whose hooks are measured executes outside of them, 0: not known
                */
    struct decode_clock clocks[TRACE_CORES];
    struct decode_trace told[TRACE_CORES]; /* what was told of its clock */
    bool is_told[TRACE_CORES];
    struct jump { /* of a call that ended by one, to a function whose entry is to come */
        bool waits;
        uint64_t task, caller;
    } jumps[TRACE_CORES][TRACE_EXCEPTIONS];
};

struct event_source *event_source_new(const struct watch *watch, bool reads_strings,
                                      bool reads_results)
{
    struct event_source *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    s->watch = watch;
    s->about.build = s->build;
    s->about.elf = s->elf;
    s->reads_strings = reads_strings;
    s->reads_results = reads_results;
    s->points = s->values.points = trace_points_new();
    if (s->points)
        return s;
    free(s);
    return NULL;
}

void event_source_free(struct event_source *source)
{
    if (source) {
        trace_points_free(source->points);
        values_free(&source->values);
    }
    free(source);
}

const struct trace_points *event_source_points(const struct event_source *source)
{
    return source->points;
}

const struct trace_about *event_source_about(const struct event_source *source)
{
    return &source->about;
}

static struct symtab *symtab_now(const struct event_source *s)
{
    const struct session *session = &s->watch->session;

    return session_has_names(session) ? session->elf.symtab : NULL;
}

static const char *build_now(const struct event_source *s)
{
    signals_finish(true);
    const char *build = symtab_now(s) ? symtab_build(s->watch->session.elf.symtab) : "";
    signals_finish(false);

    return build;
}

bool event_source_is_old(const struct event_source *source)
{
    const struct event_source *s = source;

    return symtab_now(s) != s->values.symtab || s->watch->profile.cores != s->about.cores ||
           strcmp(build_now(s), s->build) != 0;
}

bool event_source_name(struct event_source *source)
{
    struct event_source *s = source;
    const struct session *session = &s->watch->session;
    struct symtab *symtab = symtab_now(s);
    unsigned cores = s->watch->profile.cores;

    trace_forget_now(s->points);
    s->values.left = STRINGS_MAX;
    if (!event_source_is_old(s))
        return false;
    const char *build = build_now(s);
    s->about.cores = cores;
    s->about.threads = watch_trace(s->watch, 0).threads;
    values_free(&s->values);
    s->values = (struct values){.points = s->points, .symtab = symtab, .left = STRINGS_MAX};
    snprintf(s->build, sizeof(s->build), "%s", build);
    snprintf(s->elf, sizeof(s->elf), "%s",
             session->elf.path ? path_base_name(session->elf.path) : "");
    s->about.big_endian = session->elf.symtab && symtab_elf(session->elf.symtab)->big_endian;
    s->about.addr_size = session->elf.symtab ? symtab_elf(session->elf.symtab)->addr_size : 8;
    trace_points_clear(s->points);
    memset(s->is_told, 0, sizeof(s->is_told));
    s->has_task = false;
    if (!symtab || !outside_of_probe(symtab, &s->probe))
        s->probe = 0;
    return true;
}

bool event_source_clock(struct event_source *source, unsigned core, struct trace_event *event)
{
    const struct decode_trace lead = watch_trace(source->watch, core);
    const struct decode_trace *told = &source->told[core];

    if (source->is_told[core] && told->timed == lead.timed && told->hz == lead.hz &&
        told->inside == lead.inside && told->call == lead.call &&
        told->instruction == lead.instruction && told->jump_from == lead.jump_from &&
        told->jump_to == lead.jump_to && told->jump == lead.jump)
        return false;
    source->is_told[core] = true;
    source->told[core] = lead;
    *event = (struct trace_event){
        .kind = TRACE_CLOCK, .core = core, .timed = lead.timed, .hz = lead.timed ? lead.hz : 0};
    event->one_clock = lead.one_clock && !lead.threads && source->about.cores > 1;
    event->cost.inside = (double)lead.inside / TRACE_COST_UNIT;
    event->cost.call = (double)lead.call / TRACE_COST_UNIT;
    event->cost.instruction = (double)lead.instruction / TRACE_COST_UNIT;
    event->cost.jump_from = (double)lead.jump_from / TRACE_COST_UNIT;
    event->cost.jump_to = (double)lead.jump_to / TRACE_COST_UNIT;
    event->cost.jump = (double)lead.jump / TRACE_COST_UNIT;
    return true;
}

/* The address in the file that the function is of. */
static uint64_t place_of(const struct event_source *s, uint64_t addr)
{
    const struct symtab *part = symtab_owner(s->values.symtab, addr);

    return addr - symtab_elf(part)->bias;
}

/* Of a function, without what that of an empty one is, 0: not known. */
static int outside_of(const struct event_source *s, const struct symtab_function *function)
{
    int instructions;

    if (s->probe == 0 || !outside_count(s->values.symtab, function, &instructions))
        return 0;
    return instructions - s->probe;
}

/* Adds a function that may be NULL; then only an address in it is known. */
static bool add_function(struct event_source *s, const struct symbol_naming *names,
                         const struct symtab_function *known, uint64_t addr, uint32_t *index)
{
    struct trace_function f = {.addr = addr, .name = "", .file = "", .parameters = ""};
    struct symtab_line line = {.file = NULL};
    struct symtab_parameters parameters;
    struct symtab_result result;

    if (known) {
        if (symtab_find_parameters(s->values.symtab, known->addr, &parameters)) {
            f.parameters = parameters.text;
            if (trace_layout_is_good(parameters.layout.text)) /* else a file would be damaged */
                f.layout = parameters.layout.text;
            if (!values_types(&s->values, known->addr, &parameters, &f))
                return false;
        }
        if (watch_trace(s->watch, 0).results &&
            symtab_find_result(s->values.symtab, known->addr, &result) &&
            !values_result(&s->values, known->addr, &result, &f))
            return false;
        f.addr = place_of(s, known->addr);
        f.name = known->name;
        f.outside = outside_of(s, known);
        if (names->find_start && names->find_start(names->context, known, &line)) {
            f.file = line.file;
            f.line = line.line;
        }
    }
    return trace_add_function(s->points, &f, index);
}

static bool name_exception(struct event_source *s, unsigned exception)
{
    bool is_foreign = watch_trace(s->watch, 0).foreign;
    const struct vectors *vectors =
        s->values.symtab ? view_contexts_vectors(s->watch->session.contexts) : NULL;
    char label[LABEL_MAX];

    if (trace_exception_name(s->points, exception))
        return true;
    /* "thread" is known only where the core has numbers of exceptions, which a vector table tells.
     */
    if (exception == 0 && (!(vectors && vectors_count(vectors, NULL) != 0) || is_foreign))
        return true;
    vectors_label(vectors, exception, label, sizeof(label));
    return trace_name_exception(s->points, exception, label);
}

/* Finds the functions of a new point. */
static bool name_point(struct event_source *s, uint32_t index)
{
    const struct trace_point p = *trace_point_at(s->points, index);
    const struct symbol_naming names =
        s->values.symtab ? symtab_naming(s->values.symtab) : (struct symbol_naming){.find = NULL};
    const struct symtab_function *callee = NULL, *caller = NULL;
    uint32_t function, caller_function = TRACE_NO_FUNCTION;

    if (p.kind == TRACE_MARK)
        return name_exception(s, p.exception);
    if (names.find)
        callee = names.find(names.context, p.callee);
    if (names.find_caller && p.caller != 0)
        caller = names.find_caller(names.context, p.caller);
    signals_finish(true); /* also the events that Ctrl-C ended have lines */
    bool done = add_function(s, &names, callee, p.callee, &function) &&
                (!caller || add_function(s, &names, caller, 0, &caller_function));
    signals_finish(false);
    if (done)
        trace_point_set(s->points, index, function, caller_function);
    return done && name_exception(s, p.exception);
}

static struct decode_clock *clock_of(struct event_source *s, unsigned core)
{
    return &s->clocks[watch_trace(s->watch, core).one_clock ? 0 : core];
}

bool event_source_omits(struct event_source *source, const struct sampler_event *from)
{
    return from->kind == SAMPLER_EVENT_BEGIN && !clock_of(source, from->core)->begun;
}

/* Whether a call ends by a jump, or begins by one. Both have the same caller, and are recorded one
 * after the other, but for what interrupts that. */
static bool is_jump(struct event_source *s, unsigned core, const struct decode_event *call)
{
    struct jump *jump = &s->jumps[core][call->exception];
    bool begins = jump->waits && !call->exit && !call->mark && jump->caller == call->caller &&
                  jump->task == call->task;

    if (begins)
        jump->waits = false;
    if (call->jump)
        *jump = (struct jump){.waits = true, .task = call->task, .caller = call->caller};
    return begins || call->jump;
}

bool event_source_take(struct event_source *source, const struct sampler_event *from,
                       struct trace_event *event)
{
    struct event_source *s = source;
    const struct decode_event *call = &from->call;
    struct trace_point p = {.callee = call->callee,
                            .caller = call->caller,
                            .exception = call->exception,
                            .core = from->core,
                            .kind = call->mark   ? TRACE_MARK
                                    : call->exit ? TRACE_EXIT
                                                 : TRACE_ENTRY};
    bool added;

    *event = (struct trace_event){
        .kind = (enum trace_kind)from->kind, .core = from->core, .count = from->count};
    if (from->kind == SAMPLER_EVENT_BEGIN && !watch_trace(s->watch, from->core).one_clock)
        s->clocks[from->core] = (struct decode_clock){.begun = false};
    if (from->kind != SAMPLER_EVENT_CALL) {
        memset(s->jumps[from->core], 0, sizeof(s->jumps[from->core]));
        return true;
    }
    event->ticks = decode_clock_ticks(clock_of(s, from->core), call);
    event->has_task = watch_trace(s->watch, from->core).tasks;
    event->task = call->task;
    event->jump = is_jump(s, from->core, call);
    event->argument_count = call->argument_count;
    memcpy(event->arguments, call->arguments, sizeof(event->arguments));
    if (call->mark) {
        p.sleep = (enum trace_sleep)call->sleep;
        p.caller = 0;
        event->argument_count = 1;
        event->arguments[0] = call->caller;
    }
    return trace_add_point(s->points, &p, &event->point, &added) &&
           (!added || name_point(s, event->point));
}

/* By its control block, or by the symbol of that. It is read once. */
static bool name_task(struct event_source *s, uint64_t task)
{
    struct symtab_data data;
    char text[sizeof(data.name)] = "";
    const struct trace_name name = {.type = TRACE_TASK, .first = task, .size = 1, .text = text};

    if (s->has_task && s->task == task)
        return true;
    s->has_task = true;
    s->task = task;
    if (trace_find_name(s->points, TRACE_TASK, task))
        return true;
    signals_hold(true);
    bool known =
        s->values.symtab && session_read_task(&s->watch->session, task, text, sizeof(text));
    signals_hold(false);
    if (!known && s->values.symtab && symtab_find_data(s->values.symtab, task, &data) &&
        data.addr == task)
        memcpy(text, data.name, sizeof(text));
    return trace_add_name(s->points, &name);
}

bool event_source_read(struct event_source *source, const struct trace_event *event)
{
    struct event_source *s = source;
    bool call = event->kind == TRACE_CALL && event->argument_count != 0;

    if (event->has_task && !name_task(s, event->task))
        return false;
    if (!call)
        return true;
    enum trace_point_kind kind = trace_point_at(s->points, event->point)->kind;
    bool reads = kind == TRACE_EXIT ? s->reads_results : s->reads_strings;
    s->values.watch = reads ? s->watch : NULL;
    return kind == TRACE_MARK || values_name(&s->values, &s->about, event);
}
