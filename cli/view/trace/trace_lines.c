/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a trace: its time, who called whom, and the exception that it was in. */
#include <trace_view/trace_lines.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <base/vec.h>
#include <table/json_parts.h>
#include <table/time.h>

#include "trace_chain.h"
#include "trace_names.h"
#include "trace_words.h"

/* Room for a time and the keys before it. */
#define TIME_MAX 96

/* Cells of a time. */
#define TIME_CELLS 12

struct rest {
    char *text; /* owned; what follows the time, with the newline; NULL: not made yet */
    size_t len;
    size_t words_at; /* where words of the event stand in it */
};

struct core_clock {
    bool timed;
    uint32_t hz;
};

struct trace_lines {
    bool json;
    const struct trace_points *points;
    const struct trace_about *about;
    struct rest *rests; /* owned; of each point */
    size_t count, capacity;
    unsigned turn, cores; /* of the points; of the recording */
    unsigned runs;
    struct core_clock clocks[TRACE_CORES];
    struct line_buffer to;
};

/* What an event is called that is none, in an object and to a person. */
static const struct {
    const char *reason, *text;
} losses[] = {
    [TRACE_CALL] = {NULL, NULL},
    [TRACE_OVERWRITTEN] = {"overwritten", "overwritten before they were read"},
    [TRACE_UNFINISHED] = {"unfinished", "interrupted while they were recorded"},
    [TRACE_FULL] = {"full", "not recorded: the trace is full; 'mprof control reset' empties it"},
};

struct trace_lines *trace_lines_new(FILE *file, enum view_format format,
                                    const struct trace_points *points,
                                    const struct trace_about *about)
{
    struct trace_lines *l = calloc(1, sizeof(*l));

    if (!l)
        return NULL;
    l->to.file = file;
    l->json = format == FORMAT_JSON;
    l->points = points;
    l->about = about;
    return l;
}

static void forget_rests(struct trace_lines *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->rests[i].text);
    l->count = 0;
}

void trace_lines_free(struct trace_lines *lines)
{
    if (!lines)
        return;
    forget_rests(lines);
    free(lines->rests);
    free(lines);
}

bool trace_lines_flush(struct trace_lines *lines)
{
    struct line_buffer *to = &lines->to;

    line_buffer_write(to);
    if (to->error == 0 && fflush(to->file) != 0)
        to->error = errno ? errno : EIO;
    errno = to->error;
    return to->error == 0;
}

static void add(struct trace_lines *l, const char *bytes, size_t len)
{
    line_buffer_add(&l->to, bytes, len);
}

static void add_core(struct text *t, const struct trace_lines *l, unsigned core)
{
    if (l->about->cores > 1)
        text_printf(t, "  (%s %u)", l->about->threads ? "thread" : "core", core);
}

/* Sets *words_at to the end of the name, where words follow. */
static char *rest_text(const struct trace_lines *l, const struct trace_point *p, size_t *words_at)
{
    const char *exception = trace_exception_name(l->points, p->exception);
    struct text t = {.bytes = NULL};

    if (p->kind == TRACE_MARK) {
        text_printf(&t, "mark %" PRIu64, p->callee);
    } else {
        trace_put_name(&t, l->points, p->caller_function, p->caller);
        text_printf(&t, " %s ", p->kind == TRACE_EXIT ? "<-" : "->");
        trace_put_name(&t, l->points, p->function, p->callee);
    }
    *words_at = t.len;
    if (p->exception != 0) {
        text_printf(&t, "  [");
        text_escape(&t, exception ? exception : "?", "", "");
        text_printf(&t, "]");
    }
    add_core(&t, l, p->core);
    return text_with_newline(text_end(&t));
}

static json_t *address_object(uint64_t addr)
{
    char buffer[TRACE_ADDRESS_TEXT];

    return json_text(trace_address_text(addr, buffer));
}

static json_t *point_object(const struct trace_lines *l, const struct trace_point *p)
{
    json_t *context = json_text(trace_exception_name(l->points, p->exception));

    if (p->kind == TRACE_MARK)
        return json_pack("{s:s, s:I, s:o, s:i}", "kind", "mark", "id", (json_int_t)p->callee,
                         "context", context, "core", (int)p->core);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:i}", "kind",
                     p->kind == TRACE_EXIT ? "exit" : "entry", "function",
                     json_text(trace_function_name(l->points, p->function)), "caller",
                     json_text(trace_function_name(l->points, p->caller_function)), "address",
                     address_object(p->callee), "caller_address", address_object(p->caller),
                     "context", context, "core", (int)p->core);
}

/* The members after the time, without the brace before them. Words come before that at the end. */
static char *rest_json(const struct trace_lines *l, const struct trace_point *p, size_t *words_at)
{
    char *line = text_with_newline(json_line(point_object(l, p)));

    if (line) {
        memmove(line, line + 1, strlen(line));
        *words_at = strlen(line) - 2;
    }
    return line;
}

/* Whether there is a rest of the point's line, which is made at its first event. */
static bool make_rest(struct trace_lines *l, uint32_t point)
{
    size_t count = trace_points_count(l->points);

    if (l->turn != trace_points_turn(l->points) || l->cores != l->about->cores)
        forget_rests(l);
    l->turn = trace_points_turn(l->points);
    l->cores = l->about->cores;
    if (!VEC_ROOM(l->rests, l->capacity, l->count, count - l->count))
        return false;
    for (; l->count < count; l->count++)
        l->rests[l->count] = (struct rest){.text = NULL};
    struct rest *rest = &l->rests[point];
    if (!rest->text) {
        const struct trace_point *p = trace_point_at(l->points, point);
        rest->text = l->json ? rest_json(l, p, &rest->words_at) : rest_text(l, p, &rest->words_at);
        rest->len = rest->text ? strlen(rest->text) : 0;
    }
    return rest->text != NULL;
}

/* Writes a number before end, with at least some digits. Returns where it begins. */
static char *put_digits(char *end, uint64_t number, unsigned least)
{
    for (; number != 0 || least != 0; number /= 10, least -= least != 0)
        *--end = (char)('0' + number % 10);
    return end;
}

/* Writes seconds with some decimals before end. */
static char *put_seconds(char *end, uint64_t ticks, uint32_t hz, unsigned decimals, uint64_t scale)
{
    uint64_t seconds = ticks / hz, part = (ticks % hz * scale + hz / 2) / hz;

    end = put_digits(end, part % scale, decimals);
    *--end = '.';
    return put_digits(end, seconds + part / scale, 1);
}

/* Writes ticks, or with decimals seconds, with their sign. */
static char *put_time(char *end, const struct core_clock *clock, int64_t ticks, unsigned decimals,
                      uint64_t scale)
{
    uint64_t size = ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks;
    char *begin = decimals != 0 ? put_seconds(end, size, clock->hz, decimals, scale)
                                : put_digits(end, size, 1);

    if (ticks < 0)
        *--begin = '-';
    return begin;
}

/* Where only numbers are known, the clock's; "-" where it has none. */
static void add_time(struct trace_lines *l, const struct core_clock *clock, int64_t ticks)
{
    char room[TIME_MAX], *end = room + sizeof(room), *begin = end;

    *--begin = ' ';
    *--begin = ' ';
    const char *right = begin;
    if (!clock->timed)
        *--begin = '-';
    else
        begin = put_time(begin, clock, ticks, clock->hz != 0 ? 6 : 0, 1000000);
    while (right - begin < TIME_CELLS)
        *--begin = ' ';
    add(l, begin, (size_t)(end - begin));
}

#define ADD_CONSTANT(lines, text) add(lines, text, sizeof(text) - 1)

static void add_time_json(struct trace_lines *l, const struct core_clock *clock, int64_t ticks)
{
    char room[TIME_MAX], *end = room + sizeof(room), *begin;

    if (!clock->timed) {
        ADD_CONSTANT(l, "{\"time\":null,\"ticks\":null,");
        return;
    }
    if (clock->hz == 0) {
        ADD_CONSTANT(l, "{\"time\":null,\"ticks\":");
    } else {
        begin = put_time(end, clock, ticks, 9, 1000000000);
        ADD_CONSTANT(l, "{\"time\":");
        add(l, begin, (size_t)(end - begin));
        ADD_CONSTANT(l, ",\"ticks\":");
    }
    begin = put_time(end, clock, ticks, 0, 1);
    add(l, begin, (size_t)(end - begin));
    ADD_CONSTANT(l, ",");
}

static bool put_call(struct trace_lines *l, const struct trace_event *e)
{
    const struct core_clock *clock = &l->clocks[e->core];

    if ((l->turn != trace_points_turn(l->points) || l->cores != l->about->cores ||
         e->point >= l->count || !l->rests[e->point].text) &&
        !make_rest(l, e->point))
        return false;
    if (l->json)
        add_time_json(l, clock, e->ticks);
    else
        add_time(l, clock, e->ticks);
    const struct rest *rest = &l->rests[e->point];
    if (e->argument_count == 0 && !e->has_task && !e->chain) {
        add(l, rest->text, rest->len);
        return true;
    }
    if (l->json || !e->chain)
        add(l, rest->text, rest->words_at);
    bool done = !e->chain || trace_chain_add(&l->to, l->json, l->points, l->about, e->chain);
    if (l->json || !e->chain)
        done &= trace_words_add(&l->to, l->json, l->points, l->about, e);
    else
        trace_words_add_task(&l->to, l->json, e);
    add(l, rest->text + rest->words_at, rest->len - rest->words_at);
    return done;
}

static json_t *other_object(const struct trace_lines *l, const struct trace_event *e)
{
    switch (e->kind) {
    case TRACE_RESTART:
        return json_pack("{s:s, s:i}", "kind", "restart", "core", (int)e->core);
    case TRACE_RUN:
        return json_pack("{s:s, s:o}", "kind", "recording", "time", json_time(l->about->time_ns));
    case TRACE_DAMAGED:
        return json_pack("{s:s, s:I}", "kind", "damaged", "bytes", (json_int_t)e->count);
    default:
        return json_pack("{s:s, s:I, s:s, s:i}", "kind", "lost", "count", (json_int_t)e->count,
                         "reason", losses[e->kind].reason, "core", (int)e->core);
    }
}

/* An event that a clock does not give its time. */
static char *other_text(const struct trace_lines *l, const struct trace_event *e)
{
    struct text t = {.bytes = NULL};
    char time[48];

    text_printf(&t, "%*s  ", TIME_CELLS, "");
    switch (e->kind) {
    case TRACE_RESTART:
        text_printf(&t, "the target has restarted");
        break;
    case TRACE_RUN:
        view_time(l->about->time_ns, false, time, sizeof(time));
        text_printf(&t, "another recording: %s", time);
        return text_end(&t);
    case TRACE_DAMAGED:
        text_printf(&t, "damaged: %" PRIu64 " bytes of the file", e->count);
        return text_end(&t);
    default:
        text_printf(&t, "lost: %" PRIu64 " event%s %s", e->count, e->count == 1 ? "" : "s",
                    losses[e->kind].text);
    }
    add_core(&t, l, e->core);
    return text_end(&t);
}

static bool put_other(struct trace_lines *l, const struct trace_event *e)
{
    char *line = text_with_newline(l->json ? json_line(other_object(l, e)) : other_text(l, e));

    if (line)
        add(l, line, strlen(line));
    free(line);
    return line != NULL;
}

static bool put_event(struct trace_lines *l, const struct trace_event *e)
{
    switch (e->kind) {
    case TRACE_CALL:
        return put_call(l, e);
    case TRACE_CLOCK:
        l->clocks[e->core] = (struct core_clock){e->timed, e->hz};
        return true;
    case TRACE_RUN:
        memset(l->clocks, 0, sizeof(l->clocks));
        return l->runs++ == 0 || put_other(l, e);
    case TRACE_END:
        return true;
    default:
        return put_other(l, e);
    }
}

bool trace_lines_put(struct trace_lines *lines, const struct trace_event *event)
{
    int *error = &lines->to.error;

    if (!put_event(lines, event) && *error == 0)
        *error = ENOMEM;
    if (*error == 0)
        return true;
    errno = *error;
    return false;
}
