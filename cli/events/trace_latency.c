/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof trace FILE --between and --worst: reads the file twice, the second time for the longest. */
#define _POSIX_C_SOURCE 200809L

#include <events/trace_latency.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <base/text.h>
#include <events/limits.h>
#include <events/trace_file.h>
#include <trace/latency.h>
#include <trace_view/latency.h>
#include <trace_view/trace_graph.h>

/* So often is asked whether a signal ends it. */
#define ASK_EVERY 65536

/* Events of the longest time that are shown, if -n does not say how many. */
#define EVENTS_SHOWN 200

struct search {
    const struct options *options;
    struct trace_reader *reader;       /* owned */
    const struct trace_points *points; /* of the reader */
    struct latency *latency;           /* owned */
    char *from, *to;                   /* owned; the events as they were typed; to NULL: calls */
};

static bool is_calls(const struct search *s)
{
    return s->options->worst.count != 0;
}

/* The option, with its dashes. */
static const char *option_of(const struct search *s)
{
    return is_calls(s) ? "--worst" : "--between";
}

static bool hits(const struct search *s, size_t rule, const struct trace_point *p)
{
    const struct option_moment *m = &s->options->between.moments[rule];

    if (p->kind == TRACE_MARK || m->at == OPTION_MARK)
        return p->kind == TRACE_MARK && p->sleep == TRACE_NO_SLEEP && m->at == OPTION_MARK &&
               p->callee == m->mark;
    if ((p->kind == TRACE_EXIT) != (m->at == OPTION_EXIT))
        return false;
    const struct trace_function *f = trace_function_at(s->points, p->function);
    return view_ignore_rule_has(&s->options->between.functions.rules[rule], f->addr,
                                f->name[0] ? f->name : NULL, f->file[0] ? f->file : NULL);
}

static void choose_call(const struct search *s, const struct trace_point *p, bool *begins,
                        bool *ends)
{
    const struct trace_function *f =
        p->kind == TRACE_MARK ? NULL : trace_function_at(s->points, p->function);
    bool hit = f && view_ignore_hit(&s->options->worst, f->addr, f->name[0] ? f->name : NULL,
                                    f->file[0] ? f->file : NULL);

    *begins = hit && p->kind == TRACE_ENTRY;
    *ends = hit && p->kind == TRACE_EXIT;
}

static void choose(void *search, const struct trace_point *point, bool *begins, bool *ends)
{
    const struct search *s = search;

    if (is_calls(s)) {
        choose_call(s, point, begins, ends);
        return;
    }
    *begins = hits(s, 0, point);
    *ends = hits(s, 1, point);
}

static int open_reader(struct search *s)
{
    char text[TRACE_TEXT];

    s->reader = trace_reader_open(s->options->operands[0], text);
    if (!s->reader)
        return fail(text);
    s->points = trace_reader_points(s->reader);
    return STATUS_DONE;
}

static void close_reader(struct search *s)
{
    trace_reader_close(s->reader);
    s->reader = NULL;
}

static int name_events(struct search *s)
{
    const char *typed = is_calls(s) ? s->options->worst_typed : s->options->between_typed;
    const char *comma = is_calls(s) ? NULL : strchr(typed, ',');

    s->from = strndup(typed, comma ? (size_t)(comma - typed) : strlen(typed));
    s->to = comma ? strdup(comma + 1) : NULL;
    return s->from && (s->to || !comma) ? STATUS_DONE : fail("out of memory");
}

static bool needs_exits(const struct search *s)
{
    const struct option_moment *m = s->options->between.moments;

    return is_calls(s) || m[0].at == OPTION_EXIT || m[1].at == OPTION_EXIT;
}

/* Refuses a trace that has no such time. */
static int check(const struct search *s)
{
    const struct latency_state state = latency_state(s->latency);

    if (state.durations->count != 0)
        return STATUS_DONE;
    if (state.begun == 0)
        complain("%s: no %s was seen in %s", option_of(s), s->from, s->options->operands[0]);
    else if (!is_calls(s) && state.ended == 0)
        complain("%s: no %s was seen in %s", option_of(s), s->to, s->options->operands[0]);
    else if (!state.timed)
        complain("%s needs times, and the events of %s have none", option_of(s),
                 s->options->operands[0]);
    else if (is_calls(s))
        complain("%s: no call of %s has both its entry and its exit in the trace", option_of(s),
                 s->from);
    else
        complain("%s: no %s was followed by %s, with all events between them", option_of(s),
                 s->from, s->to);
    return STATUS_FAILED;
}

/* Adds up all times of the file. */
static int add_up(struct search *s)
{
    const struct latency_rules rules = {
        .calls = is_calls(s), .needs_exits = needs_exits(s), .choose = choose, .context = s};
    struct trace_event event;
    unsigned long events = 0;

    s->latency = latency_new(&rules, s->points, trace_reader_about(s->reader));
    if (!s->latency)
        return fail("out of memory");
    while (trace_reader_next(s->reader, &event)) {
        if (!latency_put(s->latency, &event))
            return fail("out of memory");
        if (++events % ASK_EVERY == 0 && signals_pending())
            return STATUS_DONE;
    }
    int status = event_limits_refuse(option_of(s), latency_end(s->latency));
    return status == STATUS_DONE ? check(s) : status;
}

/* Writes the events of the longest time to a graph. Sets *more to how many are left out. */
static bool write_worst(struct search *s, struct trace_graph *graph, uint64_t *more)
{
    const struct latency_worst worst = latency_state(s->latency).worst;
    unsigned long most = s->options->iterations ? s->options->iterations : EVENTS_SHOWN;
    struct trace_event event;
    uint64_t shown = 0;
    bool good = true;

    *more = 0;
    for (uint64_t i = 0; good && i <= worst.last && trace_reader_next(s->reader, &event); i++) {
        bool inside = i >= worst.first && latency_has(s->latency, &event);
        if (event.kind == TRACE_CLOCK)
            good = trace_graph_put(graph, &event);
        else if (inside && shown++ < most)
            good = trace_graph_put(graph, &event);
    }
    *more = shown > most ? shown - most : 0;
    return trace_graph_flush(graph) && good;
}

static struct view_latency view_of(const struct search *s)
{
    const struct trace_about *about = trace_reader_about(s->reader);

    return (struct view_latency){.file = s->options->operands[0],
                                 .elf = about->elf,
                                 .build = about->build,
                                 .from = s->from,
                                 .to = s->to,
                                 .state = latency_state(s->latency)};
}

/* Returns all that is printed, which the caller frees, or NULL if memory runs out. */
static char *text_of(struct search *s, const char *worst, uint64_t more)
{
    const struct view_latency view = view_of(s);
    struct text t = {.bytes = NULL};

    if (s->options->format == FORMAT_JSON)
        return view_latency_json(&view, worst, more);
    char *text = view_latency_text(&view);
    text_printf(&t, "%s%s", text ? text : "", worst);
    if (more != 0)
        text_printf(&t, "... %" PRIu64 " more events; -n %" PRIu64 " shows all\n", more,
                    more + (s->options->iterations ? s->options->iterations : EVENTS_SHOWN));
    t.failed |= !text;
    free(text);
    return text_end(&t);
}

static int print(struct search *s)
{
    char *worst = NULL;
    size_t len;
    uint64_t more;
    FILE *file = open_memstream(&worst, &len);
    struct trace_graph *graph =
        file ? trace_graph_new(file, s->options->format, s->points, trace_reader_about(s->reader))
             : NULL;
    bool good = graph && write_worst(s, graph, &more);

    trace_graph_free(graph);
    good &= file && fclose(file) == 0;
    char *text = good ? text_of(s, worst, more) : NULL;
    free(worst);
    int status = text ? output_write(s->options->output, text) : fail("out of memory");
    free(text);
    return status;
}

int trace_latency(const struct options *options)
{
    struct search s = {.options = options};
    int said = STATUS_DONE, status = open_reader(&s);

    if (status == STATUS_DONE)
        status = name_events(&s);
    if (status == STATUS_DONE)
        status = add_up(&s);
    if (s.reader && !signals_pending())
        said = trace_file_say(options->operands[0], s.reader);
    close_reader(&s);
    if (status == STATUS_DONE && !signals_pending())
        status = open_reader(&s);
    if (status == STATUS_DONE && s.reader)
        status = print(&s);
    close_reader(&s);
    latency_free(s.latency);
    free(s.from);
    free(s.to);
    return status != STATUS_DONE ? status : said;
}
