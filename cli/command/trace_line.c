/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a trace: its time, who called whom, and the exception that it was in. */
#include "trace_line.h"

#include <inttypes.h>
#include <stdlib.h>

#include <base/text.h>
#include <table/json_parts.h>

#define NAME_MAX  24 /* of an address */
#define LABEL_MAX 200
#define WHEN_MAX  32

/* What an event is called that is none, in an object and to a person. */
static const struct {
    const char *reason, *text;
} others[] = {
    [SAMPLER_EVENT_CALL] = {NULL, NULL},
    [SAMPLER_EVENT_OVERWRITTEN] = {"overwritten", "overwritten before they were read"},
    [SAMPLER_EVENT_UNFINISHED] = {"unfinished", "interrupted while they were recorded"},
    [SAMPLER_EVENT_FULL] = {"full", "not recorded: the trace is full; 'mprof control reset' "
                                    "empties it"},
    [SAMPLER_EVENT_BEGIN] = {NULL, "the target has restarted"},
};

static const char *address_text(uint64_t addr, char buffer[NAME_MAX])
{
    if (addr == 0)
        return NULL;
    snprintf(buffer, NAME_MAX, "0x%08" PRIx64, addr);
    return buffer;
}

static const char *name_of(const struct trace_lines *l, uint64_t addr)
{
    const struct symbol_naming *names = &l->names;
    const struct symtab_function *f = names->find ? names->find(names->context, addr) : NULL;

    return f ? f->name : NULL;
}

static const char *caller_of(const struct trace_lines *l, uint64_t caller)
{
    const struct symbol_naming *names = &l->names;
    const struct symtab_function *f =
        names->find_caller && caller != 0 ? names->find_caller(names->context, caller) : NULL;

    return f ? f->name : NULL;
}

/* Where only numbers are known, the clock's; "-" where it has none. */
static void print_when(const struct decode_trace *trace, int64_t ticks, char text[WHEN_MAX])
{
    if (!trace->timed)
        snprintf(text, WHEN_MAX, "-");
    else if (trace->hz != 0)
        snprintf(text, WHEN_MAX, "%.6f", (double)ticks / trace->hz);
    else
        snprintf(text, WHEN_MAX, "%" PRId64, ticks);
}

/* An event that a clock does not give its time. */
static void add_other(struct text *t, const struct sampler_event *e)
{
    text_printf(t, "%12s  ", "");
    if (e->count != 0)
        text_printf(t, "lost: %" PRIu32 " event%s ", e->count, e->count == 1 ? "" : "s");
    text_printf(t, "%s", others[e->kind].text);
}

static void add_call(struct trace_lines *l, struct text *t, const struct sampler_event *e,
                     const struct decode_trace *trace)
{
    const struct decode_event *call = &e->call;
    const char *caller = caller_of(l, call->caller), *callee = name_of(l, call->callee);
    char when[WHEN_MAX], buffer[NAME_MAX], label[LABEL_MAX];

    print_when(trace, decode_clock_ticks(&l->clocks[e->core], call->time), when);
    text_printf(t, "%12s  ", when);
    if (!caller)
        caller = address_text(call->caller, buffer);
    text_escape(t, caller ? caller : "?", "", "");
    text_printf(t, " %s ", call->exit ? "<-" : "->");
    if (!callee) /* of a damaged record it may be 0 */
        callee = address_text(call->callee, buffer);
    text_escape(t, callee ? callee : "?", "", "");
    if (call->exception == 0)
        return;
    vectors_label(l->vectors, call->exception, label, sizeof(label));
    text_printf(t, "  [");
    text_escape(t, label, "", "");
    text_printf(t, "]");
}

static char *text_of(struct trace_lines *l, const struct sampler_event *e,
                     const struct decode_trace *trace)
{
    struct text t = {.bytes = NULL};

    if (e->kind == SAMPLER_EVENT_CALL)
        add_call(l, &t, e, trace);
    else
        add_other(&t, e);
    if (l->cores > 1)
        text_printf(&t, "  (core %u)", e->core);
    return text_end(&t);
}

static json_t *other_object(const struct sampler_event *e)
{
    if (e->kind == SAMPLER_EVENT_BEGIN)
        return json_pack("{s:s, s:i}", "kind", "restart", "core", (int)e->core);
    return json_pack("{s:s, s:I, s:s, s:i}", "kind", "lost", "count", (json_int_t)e->count,
                     "reason", others[e->kind].reason, "core", (int)e->core);
}

static json_t *address_object(uint64_t addr)
{
    char buffer[NAME_MAX];

    return json_text(address_text(addr, buffer));
}

/* "thread" is known only where the core has numbers of exceptions, which a vector table tells. */
static json_t *context_object(const struct trace_lines *l, unsigned exception)
{
    char label[LABEL_MAX];

    if (exception == 0 && !(l->vectors && vectors_count(l->vectors, NULL) != 0))
        return json_null();
    vectors_label(l->vectors, exception, label, sizeof(label));
    return json_text(label);
}

static json_t *call_object(struct trace_lines *l, const struct sampler_event *e,
                           const struct decode_trace *trace)
{
    const struct decode_event *call = &e->call;
    int64_t ticks = decode_clock_ticks(&l->clocks[e->core], call->time);
    bool known = trace->timed && trace->hz != 0;

    return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:i}", "time",
                     known ? json_real((double)ticks / trace->hz) : json_null(), "ticks",
                     trace->timed ? json_integer(ticks) : json_null(), "kind",
                     call->exit ? "exit" : "entry", "function", json_text(name_of(l, call->callee)),
                     "caller", json_text(caller_of(l, call->caller)), "address",
                     address_object(call->callee), "caller_address", address_object(call->caller),
                     "context", context_object(l, call->exception), "core", (int)e->core);
}

bool trace_line_put(struct trace_lines *lines, const struct sampler_event *event,
                    const struct decode_trace *trace)
{
    struct decode_clock *clock = &lines->clocks[event->core];
    char *line;

    if (event->kind == SAMPLER_EVENT_BEGIN && !clock->begun)
        return true;
    if (event->kind == SAMPLER_EVENT_BEGIN)
        *clock = (struct decode_clock){.begun = false};
    if (lines->format == FORMAT_TABLE)
        line = text_of(lines, event, trace);
    else
        line = json_line(event->kind == SAMPLER_EVENT_CALL ? call_object(lines, event, trace)
                                                           : other_object(event));
    if (line)
        fprintf(lines->file, "%s\n", line);
    free(line);
    return line != NULL;
}
