/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace event format of Chrome, which Perfetto reads: slices of each track in the order of
 * their begins and ends. Times are in microseconds. */
#include <inttypes.h>

#include <export/clean.h>
#include <trace_view/trace_arguments.h>

#include "formats.h"

/* The one process. Threads of it are tracks, from 1 on. */
#define PROCESS 1

struct chrome {
    struct trace_argument_text *arguments; /* owned */
    bool any;                              /* an event was written */
    size_t named;                          /* tracks */
};

/* Begins an event, after the name of its kind: its place and time. */
static void put_event(struct trace_export *x, const char *kind, size_t thread, int64_t ns)
{
    struct chrome *c = x->state;

    fprintf(x->out, "%s{\"ph\":\"%s\",\"pid\":%d,\"tid\":%zu,\"ts\":%" PRId64 ".%03d",
            c->any ? ",\n" : "\n", kind, PROCESS, thread, ns / 1000, (int)(ns % 1000));
    c->any = true;
}

static void put_metadata(struct trace_export *x, const char *what, size_t thread, const char *name)
{
    put_event(x, "M", thread, 0);
    fprintf(x->out, ",\"name\":\"%s\",\"args\":{\"name\":", what);
    clean_json(x->out, name);
    fputs("}}", x->out);
}

/* Names the tracks that are new. */
static size_t thread_of(struct trace_export *x, const struct span_track *track)
{
    struct chrome *c = x->state;

    for (; c->named <= track->index; c->named++) {
        put_metadata(x, "thread_name", c->named + 1, spans_track_at(x->spans, c->named)->name);
        put_event(x, "M", c->named + 1, 0);
        fprintf(x->out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%zu}}", c->named);
    }
    return track->index + 1;
}

static bool begin(struct trace_export *x)
{
    struct chrome *c = x->state;

    c->arguments = trace_argument_text_new(x->out);
    if (!c->arguments)
        return false;
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"by\":\"mprof\",\"file\":", x->out);
    clean_json(x->out, x->source.title);
    fprintf(x->out, ",\"times\":\"%s\"},\n\"traceEvents\":[", trace_export_clock(x));
    return true;
}

static bool enter(void *context, const struct span *span)
{
    struct trace_export *x = context;
    const struct chrome *c = x->state;
    char buffer[TRACE_EXPORT_ADDRESS];

    put_event(x, span->instant ? "i" : "B", thread_of(x, span->track), span->ns);
    fputs(span->instant ? ",\"s\":\"t\",\"name\":" : ",\"name\":", x->out);
    clean_json(x->out, trace_export_name(x, span->function, buffer));
    fprintf(x->out, ",\"args\":{\"caller\":\"0x%" PRIx64 "\"", span->caller);
    bool good = trace_argument_text_put(c->arguments, true, x->points, x->recording, span->event);
    fputs("}}", x->out);
    return good;
}

static bool leave(void *context, const struct span *span)
{
    struct trace_export *x = context;
    const struct chrome *c = x->state;
    const char *why = trace_export_end_text(span->end);
    bool good = true;

    put_event(x, "E", thread_of(x, span->track), span->ns);
    if (why)
        fprintf(x->out, ",\"args\":{\"end not known\":\"%s\"}", why);
    if (span->end == SPAN_RETURNED && span->event->argument_count != 0) {
        fprintf(x->out, ",\"args\":{\"returns to\":\"0x%" PRIx64 "\"", span->caller);
        good = trace_argument_text_put(c->arguments, true, x->points, x->recording, span->event);
        putc('}', x->out);
    }
    putc('}', x->out);
    return good;
}

static void put_mark(struct trace_export *x, uint64_t id, uint64_t value)
{
    fprintf(x->out, ",\"name\":\"mark %" PRIu64 "\",\"args\":{\"value\":%" PRIu64 "}}", id, value);
}

/* An instant in its track, and a counter, which is a track of its own with the values. */
static bool mark(void *context, const struct span_track *track, const struct trace_event *event,
                 int64_t ns)
{
    struct trace_export *x = context;
    uint64_t id = trace_point_at(x->points, event->point)->callee;
    uint64_t value = event->argument_count != 0 ? event->arguments[0] : 0;
    size_t thread = thread_of(x, track);

    put_event(x, "i", thread, ns);
    fprintf(x->out, ",\"s\":\"t\"");
    put_mark(x, id, value);
    put_event(x, "C", thread, ns);
    put_mark(x, id, value);
    return true;
}

static bool mark_sleep(void *context, const struct span_sleep *sleep)
{
    struct trace_export *x = context;

    put_event(x, "i", thread_of(x, sleep->track), sleep->ns);
    fprintf(x->out, ",\"s\":\"t\",\"name\":\"%s\",\"args\":{\"core\":%u", trace_export_sleep(sleep),
            sleep->event->core);
    if (sleep->seconds >= 0)
        fprintf(x->out, ",\"slept ns\":%" PRId64, trace_export_slept_ns(sleep));
    fputs("}}", x->out);
    return true;
}

static void put_instant(struct trace_export *x, const char *name, int64_t ns)
{
    put_event(x, "i", 0, ns);
    fprintf(x->out, ",\"s\":\"p\",\"name\":\"%s\",\"args\":", name);
}

static bool other(void *context, const struct trace_event *event, int64_t ns)
{
    struct trace_export *x = context;
    const char *loss = trace_export_loss(event);

    if (loss) {
        put_instant(x, "lost events", ns);
        fprintf(x->out, "{\"events\":%" PRIu64 ",\"reason\":\"%s\",\"core\":%u}}", event->count,
                loss, event->core);
    } else if (event->kind == TRACE_RESTART) {
        put_instant(x, "restart", ns);
        fprintf(x->out, "{\"core\":%u}}", event->core);
    } else if (event->kind == TRACE_DAMAGED) {
        put_instant(x, "damaged", ns);
        fprintf(x->out, "{\"bytes\":%" PRIu64 "}}", event->count);
    } else if (event->kind == TRACE_RUN) {
        put_metadata(x, "process_name", 0, x->recording->elf[0] ? x->recording->elf : "target");
        put_instant(x, "recording", ns);
        fprintf(x->out, "{\"ns since 1970\":%" PRId64 "}}", x->recording->time_ns);
    }
    return true;
}

static bool end(struct trace_export *x)
{
    fputs("\n]}\n", x->out);
    return true;
}

static void clean(struct trace_export *x)
{
    const struct chrome *c = x->state;

    trace_argument_text_free(c->arguments);
}

const struct trace_export_ops chrome_trace_ops = {
    .name = "chrome",
    .state_size = sizeof(struct chrome),
    .instants = true,
    .walk = {.enter = enter, .leave = leave, .mark = mark, .sleep = mark_sleep, .other = other},
    .begin = begin,
    .end = end,
    .clean = clean,
};
