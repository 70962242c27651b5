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
#include <trace/sleep.h>

#include "trace_chain.h"
#include "trace_names.h"
#include "trace_other.h"
#include "trace_time.h"
#include "trace_words.h"

struct rest {
    char *text; /* owned; what follows the time, with the newline; NULL: not made yet */
    size_t len;
    size_t words_at; /* where words of the event stand in it */
};

struct trace_lines {
    bool json;
    const struct trace_points *points;
    const struct trace_about *about;
    struct rest *rests; /* owned; of each point */
    size_t count, capacity;
    unsigned turn, cores; /* of the points; of the recording */
    unsigned runs;
    struct trace_clock clocks[TRACE_CORES];
    struct trace_sleeper sleepers[TRACE_CORES];
    struct line_buffer to;
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
    trace_other_core(&t, l->about, p->core);
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

/* Where a call is, and how long it took that ends. */
static void add_span(struct trace_lines *l, const struct span *span)
{
    const struct trace_clock clock = {.timed = span->timed, .hz = span->hz};
    char text[40];

    snprintf(text, sizeof(text), ",\"depth\":%zu", span->depth);
    line_buffer_text(&l->to, text);
    if (trace_point_at(l->points, span->event->point)->kind == TRACE_EXIT)
        trace_time_add_duration_json(&l->to, &clock, span->duration);
}

static void add_time(struct trace_lines *l, const struct trace_event *e)
{
    if (l->json)
        trace_time_add_json(&l->to, &l->clocks[e->core], e->ticks);
    else
        trace_time_add(&l->to, &l->clocks[e->core], e->ticks);
}

static char *sleep_text(const struct trace_lines *l, const struct trace_point *p, double seconds)
{
    struct text t = {.bytes = NULL};
    char text[TRACE_SLEEP_TEXT];

    trace_sleep_text(text, p->sleep, seconds);
    text_printf(&t, "--- %s ---", text);
    trace_other_core(&t, l->about, p->core);
    return text_with_newline(text_end(&t));
}

static char *sleep_json(const struct trace_point *p, double seconds)
{
    bool asleep = p->sleep == TRACE_ASLEEP;
    json_t *object =
        json_pack("{s:s, s:i}", "kind", asleep ? "asleep" : "awake", "core", (int)p->core);

    if (object && !asleep)
        json_object_set_new(object, "slept", seconds < 0 ? json_null() : json_real(seconds));
    return text_with_newline(json_line(object));
}

/* The gap in the times of a core that a sleep is. */
static bool put_sleep(struct trace_lines *l, const struct trace_event *e,
                      const struct trace_point *p)
{
    double seconds = trace_sleep_take(&l->sleepers[e->core], p, e);
    char *line = l->json ? sleep_json(p, seconds) : sleep_text(l, p, seconds);

    if (!line)
        return false;
    add_time(l, e);
    const char *rest = l->json ? line + 1 : line;
    add(l, rest, strlen(rest));
    free(line);
    return true;
}

/* span: of an object; NULL: not known. */
static bool put_call(struct trace_lines *l, const struct trace_event *e, const struct span *span)
{
    const struct trace_point *p = trace_point_at(l->points, e->point);

    if (p->sleep != TRACE_NO_SLEEP)
        return put_sleep(l, e, p);
    if ((l->turn != trace_points_turn(l->points) || l->cores != l->about->cores ||
         e->point >= l->count || !l->rests[e->point].text) &&
        !make_rest(l, e->point))
        return false;
    add_time(l, e);
    const struct rest *rest = &l->rests[e->point];
    if (e->argument_count == 0 && !e->has_task && !e->chain && !span) {
        add(l, rest->text, rest->len);
        return true;
    }
    if (l->json || !e->chain)
        add(l, rest->text, rest->words_at);
    bool done = !e->chain || trace_chain_add(&l->to, l->json, l->points, l->about, e->chain);
    if (l->json || !e->chain)
        done &= trace_words_add(&l->to, l->json, l->points, l->about, e);
    else
        done &= trace_words_add_task(&l->to, l->json, l->points, e);
    if (span)
        add_span(l, span);
    add(l, rest->text + rest->words_at, rest->len - rest->words_at);
    return done;
}

static bool put_other(struct trace_lines *l, const struct trace_event *e)
{
    char *line = trace_other_line(l->json, l->about, e);

    if (line)
        add(l, line, strlen(line));
    free(line);
    return line != NULL;
}

/* Then it is not known whether a core sleeps. */
static void forget_sleeps(struct trace_lines *l, const struct trace_event *e)
{
    bool all = e->kind == TRACE_RUN || e->kind == TRACE_DAMAGED;

    for (unsigned core = 0; core < TRACE_CORES; core++)
        l->sleepers[core].asleep &= !all && core != e->core;
}

static bool put_event(struct trace_lines *l, const struct trace_event *e)
{
    if (e->kind != TRACE_CALL)
        forget_sleeps(l, e);
    switch (e->kind) {
    case TRACE_CALL:
        return put_call(l, e, NULL);
    case TRACE_CLOCK:
        l->clocks[e->core] = (struct trace_clock){e->timed, e->hz};
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

static bool is_done(struct trace_lines *l, bool done)
{
    if (!done && l->to.error == 0)
        l->to.error = ENOMEM;
    errno = l->to.error;
    return l->to.error == 0;
}

bool trace_lines_put(struct trace_lines *lines, const struct trace_event *event)
{
    return is_done(lines, put_event(lines, event));
}

bool trace_lines_put_span(struct trace_lines *lines, const struct span *span)
{
    return is_done(lines, put_call(lines, span->event, lines->json ? span : NULL));
}
